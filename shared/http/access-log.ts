import type { HttpMiddleware } from './state.ts';

/** One line per request when it is over: method, path without its query, status, milliseconds. Failures of ours are errors. */
export const accessLog = (): HttpMiddleware => async (ctx, next) => {
  const begin = performance.now();
  ctx.res.once('close', () => {
    const { statusCode, writableFinished } = ctx.res;
    const fields = {
      method: ctx.method,
      path: ctx.path,
      status: statusCode,
      ms: Math.round((performance.now() - begin) * 10) / 10,
      ip: ctx.ip,
      ...(writableFinished ? {} : { aborted: true }),
    };
    if (statusCode >= 500) ctx.state.log.warn('request', fields);
    else ctx.state.log.debug('request', fields);
  });
  await next();
};
