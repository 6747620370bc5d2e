import Koa from 'koa';
import { accessLog } from '#http/access-log.ts';
import { clientAddress } from '#http/client-address.ts';
import { asProblem, renderErrors } from '#http/render-errors.ts';
import { requestId } from '#http/request-id.ts';
import { securityHeaders } from '#http/security-headers.ts';
import type { HttpState } from '#http/state.ts';
import { AppError } from '#errors.ts';
import { createGateway, type GatewayDeps } from './gateway/gateway.ts';
import type { Log } from '#log.ts';

export interface RegistryDeps {
  readonly log: Log;
  readonly gateways: readonly GatewayDeps[];
  readonly trustProxy: number | readonly string[];
  readonly secure: boolean;
}

/** The way of every call to a gateway, in order. No body is ever parsed here. */
export function createRegistryApp(deps: RegistryDeps): Koa<HttpState> {
  const app = new Koa<HttpState>();
  app.use(requestId(deps.log));
  app.use(clientAddress(deps.trustProxy));
  app.use(accessLog(deps.log));
  app.use(renderErrors(asProblem));
  app.use(securityHeaders(deps));
  for (const gateway of deps.gateways) app.use(createGateway(gateway)); // 401, 403, 404, 405, 502, 504; else the answer of the service
  app.use(() => {
    throw new AppError('not_found');
  });
  app.silent = true;
  return app;
}
