import type { Log } from '#log.ts';
import type { HttpContext, HttpMiddleware } from './state.ts';

const pass: HttpMiddleware = (_ctx, next) => next();

/** At level debug, one line per request when it is over: method, path without its query, status, milliseconds, address. */
export const accessLog = (log: Pick<Log, 'writes'>): HttpMiddleware => (log.writes('debug') ? logAccess : pass);

const logAccess: HttpMiddleware = (ctx, next) => {
  const begin = performance.now();
  ctx.res.once('close', () => {
    const ms = Math.round((performance.now() - begin) * 10) / 10;
    const aborted = ctx.res.writableFinished ? {} : { aborted: true };
    ctx.state.log.debug('request', { ...factsOf(ctx), status: ctx.res.statusCode, ms, ...aborted });
  });
  return next();
};

/** What a line says of a request; never its query. */
export const factsOf = ({ method, path, ip }: HttpContext) => ({ method, path, ip });
