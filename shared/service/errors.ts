import { AppError, codes, type Code } from '#errors.ts';
import { IonError } from './legacy/ion-error.ts';

const forbidden = new Set(['front-end.403', 'rest.backend.403', 'data-repo.noperm', 'auth.forbid']);
const notFound = new Set(['rest.backend.404', 'data-repo.inf', 'meta-repo.nc']);

const codeOfStatus = (status: number): Code =>
  (Object.keys(codes) as Code[]).find((code) => codes[code][0] === status) ?? 'bad_request';

const held = (thrown: unknown, name: string): unknown =>
  typeof thrown === 'object' && thrown !== null ? (thrown as Record<string, unknown>)[name] : undefined;

/**
 * What a handler threw, as the answer it makes: a numeric `code` from 400 to 499 is that status with its message, the codes of
 * access and of missing things are 403 and 404 with theirs, an AppError is itself, also behind the error that old code was given
 * in its place and passed on; all else is `internal` without a word.
 */
export function toServiceError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const code = held(thrown, 'code');
  const message = held(thrown, 'message');
  const publicText = typeof message === 'string' && message.trim() !== '' ? message : undefined;
  if (typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 499)
    return new AppError(codeOfStatus(code), publicText, { status: code, publicText, cause: thrown });
  if (typeof code === 'string' && forbidden.has(code))
    return new AppError('forbidden', publicText, { publicText, cause: thrown });
  if (typeof code === 'string' && notFound.has(code))
    return new AppError('not_found', publicText, { publicText, cause: thrown });
  const cause = held(thrown, 'cause');
  if (thrown instanceof IonError && cause instanceof AppError && cause.status < 500) return cause;
  return new AppError('internal', publicText, { cause: thrown });
}
