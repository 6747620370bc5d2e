import type { Log } from '#log.ts';
import { Service, type Routes } from '../service.ts';
import { createLegacyRouter } from './legacy-router.ts';
import { LegacyService } from './legacy-service.ts';

class AdaptedService extends Service {
  readonly #register: (routes: Routes) => unknown;

  constructor(options: Record<string, unknown>, register: (routes: Routes) => unknown) {
    super(options);
    this.#register = register;
  }

  override async routes(routes: Routes): Promise<void> {
    await this.#register(routes);
  }
}

/** An old-style service as a Service. One that has only `_handle(req)` is served as POST at its root, with a warning. */
export function adaptLegacyService(
  name: string,
  service: LegacyService,
  options: Record<string, unknown>,
  log: Pick<Log, 'warn'>,
): Service {
  if (hasRoutes(service)) return new AdaptedService(options, (routes) => registerRoutes(service, routes));
  if (typeof service._handle !== 'function')
    throw new TypeError('the service defines neither _route nor route nor _handle');
  log.warn(`service ${name} defines only _handle: it is served as POST at its root`);
  return new AdaptedService(options, (routes) => {
    createLegacyRouter(routes).add('POST', '/', (request) => service._handle?.(request));
  });
}

/** A service that only looks like one has no `route` of its own. */
const overridesRoute = (service: LegacyService): boolean =>
  Reflect.get(service, 'route') !== Reflect.get(LegacyService.prototype, 'route') && 'route' in service;

const hasRoutes = (service: LegacyService): boolean => overridesRoute(service) || typeof service._route === 'function';

function registerRoutes(service: LegacyService, routes: Routes): unknown {
  const router = createLegacyRouter(routes);
  return overridesRoute(service) ? service.route(router) : service._route?.(router);
}
