import { randomUUID } from 'node:crypto';
import type { Log } from '#log.ts';
import type { HttpMiddleware } from './state.ts';

const acceptable = /^[A-Za-z0-9._-]{8,64}$/;

/** Gives every request an id: the caller's own `x-request-id` when it is plain, else a new one. Answers carry it. */
export const requestId =
  (log: Log): HttpMiddleware =>
  (ctx, next) => {
    const given = ctx.get('x-request-id');
    const id = acceptable.test(given) ? given : randomUUID();
    ctx.state.id = id;
    ctx.state.log = log.with({ request: id });
    ctx.res.setHeader('x-request-id', id);
    return next();
  };
