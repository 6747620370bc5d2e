import { setTimeout as delay } from 'node:timers/promises';
import type { Node } from './address.ts';
import { isFinal, toFailure, unavailable } from './failure.ts';
import type { Presence } from './presence.ts';
import type { Client } from './redis.ts';
import { withinTime } from './within-time.ts';

/** One connection that is looked for again whenever it breaks or does not answer. */
export interface Link {
  /** Undefined while there is none. */
  client(): Client | undefined;
  /** The time (performance.now) up to which everything sent to this connection has arrived. */
  heardAt(): number;
  /** The first connection. Rejects when credentials are refused. */
  readonly opened: Promise<void>;
  /** Looks for a new one. */
  drop(why: unknown): void;
  close(): Promise<void>;
}

interface LinkOptions {
  readonly name: string;
  /** Where to connect to; asked anew each time. */
  readonly locate: () => Promise<Node>;
  readonly create: (node: Node) => Client;
  /** Before the connection counts. */
  readonly prepare?: (client: Client) => Promise<unknown>;
  readonly presence: Presence;
  /** Ends the first search. */
  readonly giveUp: AbortSignal;
  /** Milliseconds: until a connection without an answer is given up, and between two questions whether it is there. */
  readonly timeout: number;
  readonly every: number;
}

const shortestWait = 50;
const longestWait = 1000;

export function createLink(options: LinkOptions): Link {
  const { name, locate, create, prepare, presence, giveUp, timeout, every } = options;
  const opened = Promise.withResolvers<void>();
  opened.promise.catch(() => {}); // whoever opens looks at it; later failures are told by presence
  const closing = new AbortController();
  let current: Client | undefined;
  let heardAt = -Infinity;
  let tries = 0;
  let drop = (_why: unknown): void => {};

  /** Ends when the connection does. */
  async function hold(): Promise<never> {
    const node = await locate();
    if (closing.signal.aborted) throw new Error('closed');
    const client = create(node);
    const lost = new AbortController();
    const give = (why: unknown): void => {
      if (lost.signal.aborted) return;
      lost.abort(why);
      current = undefined;
      client.destroy();
    };
    drop = give;
    client.on('error', give);
    client.on('sharded-channel-moved', () => give(new Error('the channel has moved')));
    try {
      await withinTime(timeout, () => client.connect());
      if (prepare) await withinTime(timeout, () => prepare(client));
      for (;;) {
        const asked = performance.now();
        await withinTime(timeout, () => client.sendCommand(['PING']));
        current = client;
        heardAt = asked;
        tries = 0;
        presence.back(name);
        opened.resolve();
        await delay(every, undefined, { signal: lost.signal });
      }
    } catch (error) {
      throw lost.signal.aborted ? lost.signal.reason : error;
    } finally {
      give(undefined);
    }
  }

  async function keep(): Promise<void> {
    while (!closing.signal.aborted) {
      await hold().catch((error: unknown) => {
        if (closing.signal.aborted) return;
        presence.away(name, error);
        if (isFinal(error)) opened.reject(toFailure(error));
      });
      const wait = Math.min(longestWait, shortestWait * 2 ** tries++);
      await delay(wait * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  const kept = keep();
  const tooLate = () => opened.reject(unavailable('was not there in time'));
  if (giveUp.aborted) tooLate();
  else giveUp.addEventListener('abort', tooLate, { once: true });

  return {
    client: () => (closing.signal.aborted ? undefined : current),
    heardAt: () => heardAt,
    opened: opened.promise,
    drop: (why) => drop(why),
    async close() {
      const client = current;
      closing.abort();
      if (client) await withinTime(timeout, () => client.close()).catch(() => {}); // what has no answer by now gets none
      drop(new Error('closed'));
      await kept;
    },
  };
}
