import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';
import { toFailure, unavailable } from './failure.ts';

/** What every call passes: none begins once the store is closed, and closing waits for those under way. */
export interface Gate {
  /**
   * Errors of the driver come out as `unavailable` where the server is away. With `timed`, an answer that takes longer than
   * the gate's time does so, too: what was asked may still be done then.
   */
  pass<T>(call: () => Promise<T>, how?: 'timed'): Promise<T>;
  close(): Promise<void>;
}

/**
 * @param timeout milliseconds
 * @param log takes a line when calls begin to fail for the server's sake, and one when they succeed again
 */
export function createGate(timeout: number, log: Log): Gate {
  const underWay = new Set<Promise<unknown>>();
  let closed = false;
  let away = false;
  const note = (error: unknown): void => {
    const failed = error instanceof AppError && error.code === 'unavailable';
    if (failed && !away) log.warn('MongoDB is away', { reason: error.message });
    if (error === undefined && away) log.info('MongoDB is back');
    away = failed || (away && error !== undefined);
  };
  return {
    async pass(call, how) {
      if (closed) throw unavailable('the store is closed');
      const running = call();
      underWay.add(running);
      const ended = running.finally(() => underWay.delete(running));
      try {
        const answer = await (how === 'timed' ? within(timeout, ended) : ended);
        note(undefined);
        return answer;
      } catch (error) {
        const failure = toFailure(error);
        note(failure);
        throw failure;
      }
    },
    async close() {
      closed = true;
      await within(timeout, Promise.allSettled(underWay)).catch(() => {}); // a server that says nothing ends with its connection
    },
  };
}

async function within<T>(timeout: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(`no answer within ${timeout} ms`)), timeout);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
