import compose from 'koa-compose';
import type { Provider } from 'oidc-provider';
import { AppError } from '#errors.ts';
import type { AuthMiddleware } from '../state.ts';
import { stateOf } from './request-state.ts';

const endpoints: Readonly<Record<string, string>> = {
  '/oauth2/token': 'POST, OPTIONS',
  '/oauth2/introspect': 'POST, OPTIONS',
  '/oauth2/revoke': 'POST, OPTIONS',
  '/oauth2/userinfo': 'GET, POST, OPTIONS',
  '/oauth2/jwks': 'GET, OPTIONS',
  '/.well-known/openid-configuration': 'GET, OPTIONS',
  '/.well-known/oauth-authorization-server': 'GET, OPTIONS',
};

/** What programs call: answered by the library, without a session. Other paths go on. */
export function answerProtocol(provider: Provider): AuthMiddleware {
  const library = compose(provider.middleware);
  return async (ctx, next) => {
    const allow = Object.hasOwn(endpoints, ctx.path) ? endpoints[ctx.path] : undefined;
    if (allow === undefined) {
      await next();
      return;
    }
    if (!allow.split(', ').includes(ctx.method))
      throw new AppError('method_not_allowed', undefined, { headers: { Allow: allow } });
    ctx.remove('Cross-Origin-Resource-Policy'); // other origins may read these, as far as CORS goes
    await library(ctx, async () => {});
  };
}

/** An error of ours inside the library comes out again: 429 and 503 stay what they are. */
export const rethrowFailure: AuthMiddleware = async (ctx, next) => {
  await next();
  const { failure } = stateOf(ctx);
  if (failure !== undefined) throw failure;
};

/** The library makes its addresses from the request's; the installation's own address is the one that counts. */
export const publicAddress =
  (publicUrl: string): AuthMiddleware =>
  (ctx, next) => {
    Object.defineProperty(ctx, 'href', { get: () => `${publicUrl}${ctx.originalUrl}` });
    return next();
  };
