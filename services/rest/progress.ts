import { AppError } from '#errors.ts';
import type { HttpContext } from '#http/state.ts';

/**
 * Runs a handler until it settles. Without progress for `limit` milliseconds (nothing of the body read, nothing of the answer
 * written) it ends with `unavailable`, and the signal is aborted; so it is when the client leaves.
 */
export async function runWithProgress<T>(
  ctx: HttpContext,
  limit: number,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const leaving = new AbortController();
  const leave = () => {
    if (!ctx.res.writableFinished) leaving.abort(new AppError('unavailable', 'the client left'));
  };
  ctx.res.once('close', leave);
  const { socket } = ctx.req;
  const moved = () => socket.bytesRead + socket.bytesWritten;
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<never>((_resolve, reject) => {
    let before = moved();
    const look = () => {
      const now = moved();
      if (now === before) {
        const error = new AppError('unavailable', `the handler made no progress for ${limit} ms`);
        leaving.abort(error);
        reject(error);
        return;
      }
      before = now;
      timer = setTimeout(look, limit);
    };
    timer = setTimeout(look, limit);
  });
  try {
    return await Promise.race([work(leaving.signal), stuck]);
  } finally {
    clearTimeout(timer);
  }
}
