import { AppError } from '#errors.ts';

/** Runs at most `parallel` pieces of work at once and keeps at most `waiting` more; past that: `unavailable` (503). */
export function createBound(parallel: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= parallel) {
      if (queue.length >= waiting) {
        throw new AppError('unavailable', 'too many passwords to check at once', { headers: { 'Retry-After': '1' } });
      }
      await new Promise<void>((go) => queue.push(go)); // the one that ends hands its place over
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
