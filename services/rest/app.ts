import Koa from 'koa';
import { accessLog } from '#http/access-log.ts';
import { createBodyReader, type BodyLimits } from '#http/body.ts';
import { clientAddress } from '#http/client-address.ts';
import { cors } from '#http/cors.ts';
import { asText, renderErrors } from '#http/render-errors.ts';
import { requestId } from '#http/request-id.ts';
import { securityHeaders } from '#http/security-headers.ts';
import type { Log } from '#log.ts';
import { authenticate, type AuthenticateDeps } from './authenticate.ts';
import { findService } from './find-service.ts';
import { handle } from './handle.ts';
import type { ServiceRouter } from './service-router.ts';
import type { RestState } from './state.ts';

export interface RestDeps extends AuthenticateDeps {
  readonly log: Log;
  readonly services: ReadonlyMap<string, ServiceRouter>;
  readonly limits: BodyLimits;
  /** Milliseconds a handler may go without progress. */
  readonly handlerTimeout: number;
  readonly trustProxy: number | readonly string[];
  readonly secure: boolean;
  /** Origins that may call from a browser, without credentials. */
  readonly origins: readonly string[];
}

/** The way of every call to /rest, in order. Nothing is parsed before the caller is known. */
export function createRestApp(deps: RestDeps): Koa<RestState> {
  const app = new Koa<RestState>();
  app.use(requestId(deps.log));
  app.use(clientAddress(deps.trustProxy));
  if (deps.log.writes('debug')) app.use(accessLog(deps.log));
  app.use(renderErrors(asText));
  app.use(securityHeaders(deps));
  if (deps.origins.length > 0) app.use(cors(deps.origins)); // 204 for a preflight of a listed origin
  app.use(findService(deps.services)); // 404
  app.use(authenticate(deps)); // 401, 403, 429
  app.use(handle(createBodyReader(deps.limits), deps.handlerTimeout)); // 404, 405, 400, 413, 415; the service's own answer
  app.silent = true; // errors of a broken answer are logged by the access log and the handler
  return app;
}
