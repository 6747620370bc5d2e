import { ErrorReply } from 'redis';
import { AppError } from '#errors.ts';

/** Replies that say that a command of ours is wrong; all others say that this server cannot serve now. */
const ours = /^(ERR|WRONGTYPE|NOSCRIPT)\b/;

/** Whatever keeps Redis from answering as `unavailable`; a fault of ours stays what it is. */
export function toFailure(error: unknown): unknown {
  if (error instanceof AppError || error instanceof TypeError || error instanceof RangeError) return error;
  if (error instanceof ErrorReply && ours.test(error.message)) return error;
  return unavailable(error instanceof Error ? error.message : String(error), error);
}

export const unavailable = (why: string, cause?: unknown): AppError =>
  new AppError('unavailable', `Redis: ${why}`, { headers: { 'Retry-After': '5' }, cause });

/** Whether Redis itself has said so. */
export const isReply = (error: unknown): boolean =>
  error instanceof ErrorReply || (error instanceof AppError && error.cause instanceof ErrorReply);

/** Replies that no new try will change: wrong credentials, missing rights. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ErrorReply && /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|DB index|invalid password))/.test(error.message);

export const isReadOnly = (error: unknown): boolean =>
  error instanceof ErrorReply && error.message.startsWith('READONLY');
