import type { Verdict } from '#accounts/account.ts';
import type { Identity } from '#accounts/identity.ts';
import { AppError } from '#errors.ts';

/** What an authenticator sees of a request. `get` gives a header, `''` when absent. */
export interface Credentials {
  get(name: string): string;
  readonly ip: string;
  /** Counts for the service `token` alone. */
  readonly method?: string;
}

/** Null is nobody, in mode `none`. */
export type Answer = { readonly user: Identity | null } | { readonly refused: AppError };

/** Who calls, or why not; it rejects only when a store cannot answer. */
export type Authenticator = (request: Credentials) => Promise<Answer>;

/** Counts a failed token against the address that sent it; answers the wait in seconds that begins, mostly 0. */
export type CountFailure = (address: string) => Promise<number>;

export const throttled = (wait: number): AppError =>
  new AppError('too_many', 'too many failed credentials', { headers: { 'Retry-After': String(wait) } });

/** No credentials, or wrong ones; the same for an account that is unknown or disabled. */
export const unauthenticated = (challenge?: string): AppError =>
  new AppError(
    'unauthenticated',
    undefined,
    challenge === undefined ? {} : { headers: { 'WWW-Authenticate': challenge } },
  );

export const refusedBy = (verdict: Exclude<Verdict, { account: unknown }>, challenge: string): AppError =>
  verdict.refused === 'throttled' ? throttled(verdict.wait) : unauthenticated(challenge);

/** The token of `Authorization: Bearer` (RFC 6750), `''` when there is none. */
export const bearerOf = (request: Pick<Credentials, 'get'>): string =>
  /^Bearer +([\w~+/.-]+=*) *$/i.exec(request.get('authorization'))?.[1] ?? '';
