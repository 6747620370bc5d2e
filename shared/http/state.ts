import type Koa from 'koa';
import type { Log } from '#log.ts';

/** What the pieces of this room leave on `ctx.state`. */
export interface HttpState {
  /** The request id: in the log, in `x-request-id`, in problem+json. */
  id: string;
  /** Adds the request id to every line. */
  log: Log;
}

export type HttpContext = Koa.ParameterizedContext<HttpState>;
export type HttpMiddleware = Koa.Middleware<HttpState>;
