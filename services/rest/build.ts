import { modesOf, unknownModes } from '#components/auth-modes.ts';
import type { BuiltScope } from '#components/scope.ts';
import { toListener } from '#http/to-listener.ts';
import type { Part } from '../front.ts';
import type { Rooms } from '../rooms.ts';
import { createRestApp } from './app.ts';
import { createAuthenticators, type Authenticator } from './authentication/index.ts';
import { createServiceRouter, type ServiceRouter } from './service-router.ts';

/** What crud, acceptor and custom services are reached by. The acceptor is open to all three kinds unless deploy.json says otherwise. */
export async function buildRest(rooms: Rooms, { services, builtinServices }: BuiltScope): Promise<Part> {
  const { config, log, accounts, tokens, bearer, throttle, access, secure } = rooms;
  const { settings, installation, rest } = config;
  const routers = new Map<string, ServiceRouter>();
  const authenticators = new Map<string, Authenticator>();
  const choose = createAuthenticators({ accounts, tokens, bearer, throttle, scopes: settings('rest.scopes') });
  for (const [name, service] of services) {
    const modes = modesOf(name, rest.authMode, builtinServices.get(name));
    const unknown = unknownModes(modes);
    if (unknown.length > 0 || modes.length === 0)
      log.warn(`service ${name} refuses everybody: there is no mode ${unknown.join(', ') || 'in its list'}`);
    routers.set(name, await createServiceRouter(service));
    authenticators.set(name, choose(modes, name));
  }
  const app = createRestApp({
    log,
    services: routers,
    authenticatorOf: (name) => authenticators.get(name)!,
    access,
    isRestricted: (name) => access.isNamed(`s:::${name}`),
    limits: {
      body: settings('http.bodyLimit'),
      file: settings('http.fileLimit'),
      items: settings('http.maxItems'),
      depth: settings('http.maxDepth'),
    },
    handlerTimeout: settings('rest.handlerTimeout') * 1000,
    trustProxy: installation.trustProxy,
    secure,
    origins: settings('rest.cors'),
  });
  return { prefixes: ['/rest'], answer: toListener(app) };
}
