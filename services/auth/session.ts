import { createSession } from 'koa-session';
import type Koa from 'koa';
import { createKoaSessionOptions } from '#sessions/koa-session.ts';
import type { Session, Sessions } from '#sessions/sessions.ts';
import type { AuthMiddleware, AuthState } from './state.ts';

/** Loads the browser's session into `ctx.session`; it is written at sign-in and removed at sign-out, never else. */
export function loadSession(
  app: Koa<AuthState>,
  sessions: Sessions,
  options: { readonly key: Buffer; readonly secure: boolean },
): AuthMiddleware {
  return createSession(createKoaSessionOptions(sessions, options), app as unknown as Koa);
}

/** Sets `ctx.state.signedIn`. */
export const recogniseSession: AuthMiddleware = (ctx, next) => {
  const { session } = ctx as unknown as { readonly session: Partial<Session> | null };
  const { uid, user, at } = session ?? {};
  const known = uid !== undefined && user !== undefined && at !== undefined;
  ctx.state.signedIn = known ? { uid, account: user, at: Math.floor(at / 1000) } : undefined;
  return next();
};

/** Cookies know of TLS what `base_url` says: in between, proxies speak plain HTTP. */
export const secureCookies =
  (secure: boolean): AuthMiddleware =>
  (ctx, next) => {
    ctx.cookies.secure = secure;
    return next();
  };
