import { newCookieValue } from './cookie.ts';
import type { Session, Sessions } from './sessions.ts';

/** What sign-in puts into `ctx.session` before `await ctx.session.regenerate()`. */
export type SignIn = Omit<Session, 'uid' | 'at'>;

/** What koa-session puts on the context. Null signs out. */
export interface SessionContext {
  session: (Partial<Session> & { readonly externalKey?: string; regenerate(): Promise<void> }) | null;
}

const isSignIn = (data: Readonly<Record<string, unknown>>): data is Readonly<Record<string, unknown>> & SignIn =>
  ['user', 'address', 'agent'].every((name) => typeof data[name] === 'string');

/**
 * Options for koa-session. A session is stored once, at the first save of an id made for this very request, when it names
 * a user; nothing else is ever written, so a request in flight cannot bring back what was ended. `ctx.cookies.secure` must be set behind TLS.
 */
export function createKoaSessionOptions(
  sessions: Sessions,
  { key, secure }: { readonly key: Buffer; readonly secure: boolean },
) {
  const fresh = new WeakMap<object, string>();
  return {
    key: sessions.cookieName,
    maxAge: 'session' as const, // the limits are the server's
    signed: false, // the signature is inside the value
    httpOnly: true,
    sameSite: 'lax' as const,
    secure,
    overwrite: true,
    rolling: false,
    renew: false,
    genid(ctx: object): string {
      const value = newCookieValue(key);
      fresh.set(ctx, value);
      return value;
    },
    store: {
      get: (value: string) => sessions.readValue(value),
      async set(
        value: string,
        data: Readonly<Record<string, unknown>>,
        _maxAge: unknown,
        { ctx }: { readonly ctx?: object },
      ) {
        if (!ctx || fresh.get(ctx) !== value || !isSignIn(data)) return;
        fresh.delete(ctx);
        await sessions.begin(value, data);
      },
      destroy: (value: string) => sessions.endValue(value),
    },
  };
}
