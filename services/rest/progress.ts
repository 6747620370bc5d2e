import { AppError } from '#errors.ts';
import type { HttpContext } from '#http/state.ts';

/** Tells a handler that its work is no longer wanted. Made at first use: most handlers never ask. */
export interface Leaving {
  readonly signal: AbortSignal;
}

/** Of one request. */
export class Departure implements Leaving {
  readonly #ctx: HttpContext;
  #controller: AbortController | undefined;
  #reason: AppError | undefined;

  constructor(ctx: HttpContext) {
    this.#ctx = ctx;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      const { res } = this.#ctx;
      const left = () => {
        if (!res.writableFinished) this.abort(new AppError('unavailable', 'the client left'));
      };
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
      else if (res.closed) left();
      else res.once('close', left);
    }
    return this.#controller.signal;
  }

  abort(reason: AppError): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/**
 * Waits for work until it settles. Without progress for `limit` milliseconds (nothing of the body read, nothing of the answer
 * written) it ends with `unavailable`, and the signal of the departure is aborted; so it is when the client leaves.
 */
export function withProgress<T>(ctx: HttpContext, limit: number, departure: Departure, work: Promise<T>): Promise<T> {
  const { socket } = ctx.req;
  let before = socket.bytesRead + socket.bytesWritten;
  return new Promise((resolve, reject) => {
    const look = () => {
      const now = socket.bytesRead + socket.bytesWritten;
      if (now !== before) {
        before = now;
        timer = setTimeout(look, limit);
        return;
      }
      const error = new AppError('unavailable', `the handler made no progress for ${limit} ms`);
      departure.abort(error);
      reject(error);
    };
    let timer = setTimeout(look, limit);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
