export class Late extends Error {}

/**
 * Rejects with Late when the work takes longer than so many milliseconds; the signal then takes back what was not sent.
 * Answers that came while this process was held up are read before the time counts.
 */
export function withinTime<T>(timeout: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const giveUp = new AbortController();
    const expire = () => {
      reject(new Late(`no answer within ${timeout} ms`));
      giveUp.abort();
    };
    const timer = setTimeout(() => setImmediate(expire), timeout); // sockets are read between a timer and an immediate
    void work(giveUp.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
