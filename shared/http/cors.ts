import type { HttpMiddleware } from './state.ts';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, SEARCH';
const exposed = 'ETag, Link, Location, X-Total-Count, X-Request-Id, Retry-After';

/** Lets pages of the listed origins call, never with cookies. Others get no CORS header, so their browser refuses. */
export const cors =
  (origins: readonly string[]): HttpMiddleware =>
  (ctx, next) => {
    const origin = ctx.get('origin');
    if (origins.length === 0 || origin === '') return next();
    ctx.vary('origin');
    if (!origins.includes(origin)) return next();
    ctx.set('access-control-allow-origin', origin);
    ctx.set('cross-origin-resource-policy', 'cross-origin');
    if (ctx.method !== 'OPTIONS' || ctx.get('access-control-request-method') === '') {
      ctx.set('access-control-expose-headers', exposed);
      return next();
    }
    ctx.set('access-control-allow-methods', methods);
    ctx.set('access-control-allow-headers', ctx.get('access-control-request-headers'));
    ctx.set('access-control-max-age', '600');
    ctx.status = 204;
    return undefined;
  };
