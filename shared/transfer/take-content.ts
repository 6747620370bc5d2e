import { Readable } from 'node:stream';
import type { FileStore } from '#stores/file-store.ts';
import { parseLine, type ContentLine } from './format.ts';
import type { LineReader } from './read-lines.ts';

class Broken extends Error {}

export interface TakenContent {
  /** Undefined: all is well. */
  readonly fault: string | undefined;
  readonly bytes: number;
}

/**
 * Reads a content whose first part came last from the reader, and stores it unless it is there or `store` is false. What
 * does not fit together is a fault; then the line that does not fit comes next from the reader.
 */
export async function takeContent(
  first: ContentLine,
  reader: LineReader,
  files: Pick<FileStore, 'put' | 'open'>,
  { store, signal }: { readonly store: boolean; readonly signal: AbortSignal | undefined },
): Promise<TakenContent | 'stopped'> {
  let bytes = 0;
  async function* parts(): AsyncGenerator<Buffer> {
    if (first.part !== 0) throw new Broken('the first part is missing');
    for (let part = first; ;) {
      const content = Buffer.from(part.content, 'base64');
      bytes += content.length;
      if (content.length > 0) yield content;
      if (part.last) return;
      signal?.throwIfAborted();
      part = await following(part, reader);
    }
  }
  try {
    if (!store || (await isThere(first.hash, files))) {
      for await (const _ of parts());
      return { fault: undefined, bytes };
    }
    const { hash } = await files.put(Readable.from(parts()), Infinity);
    if (hash === first.hash) return { fault: undefined, bytes };
    return { fault: `the content is another one: its hash is ${hash}`, bytes };
  } catch (error) {
    if (signal?.aborted) return 'stopped';
    if (error instanceof Broken) return { fault: error.message, bytes };
    throw error;
  }
}

async function following(before: ContentLine, reader: LineReader): Promise<ContentLine> {
  const line = await reader.next();
  if (!line) throw new Broken('the file ends before the last part');
  const parsed = line.text === undefined ? undefined : parseLine(line.text);
  if (parsed && 'kind' in parsed && parsed.kind === 'file') {
    if (parsed.hash === before.hash && parsed.part === before.part + 1) return parsed;
  }
  reader.back();
  throw new Broken(`part ${before.part + 1} is missing`);
}

/** Whether a content is in the store. */
export async function isThere(hash: string, files: Pick<FileStore, 'open'>): Promise<boolean> {
  const content = await files.open(hash);
  content?.destroy();
  return content !== undefined;
}
