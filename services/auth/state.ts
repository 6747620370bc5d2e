import type Koa from 'koa';
import type { HttpState } from '#http/state.ts';

/** Who is signed in with this browser. */
export interface SignedIn {
  /** Names the session without being its cookie. */
  readonly uid: string;
  /** The account's identity. */
  readonly account: string;
  /** Seconds since 1970. */
  readonly at: number;
}

/** What the way of a call finds out about it. */
export interface AuthState extends HttpState {
  signedIn: SignedIn | undefined;
}

export type AuthContext = Koa.ParameterizedContext<AuthState>;
export type AuthMiddleware = Koa.Middleware<AuthState>;
