import { toFailure, unavailable } from './failure.ts';

/** What every call passes: none begins once the store is closed, and closing waits for those under way. */
export interface Gate {
  /** Errors of the driver come out as `unavailable` where the server is away. */
  pass<T>(call: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createGate(): Gate {
  const underWay = new Set<Promise<unknown>>();
  let closed = false;
  return {
    async pass(call) {
      if (closed) throw unavailable('the store is closed');
      const running = call();
      underWay.add(running);
      try {
        return await running;
      } catch (error) {
        throw toFailure(error);
      } finally {
        underWay.delete(running);
      }
    },
    async close() {
      closed = true;
      await Promise.allSettled(underWay);
    },
  };
}
