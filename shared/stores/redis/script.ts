import { createHash } from 'node:crypto';
import { ErrorReply } from 'redis';
import type { Redis } from './redis.ts';

/** A Lua script over one key: what it does, no other command comes between. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export const script = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') });

/** Sends the text only to a server that does not know it (yet, or after its restart). */
export async function runScript(
  redis: Pick<Redis, 'run'>,
  { text, sha }: Script,
  key: string,
  args: readonly string[],
): Promise<unknown> {
  try {
    return await redis.run(key, ['EVALSHA', sha, '1', key, ...args]);
  } catch (error) {
    if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error;
    return redis.run(key, ['EVAL', text, '1', key, ...args]);
  }
}
