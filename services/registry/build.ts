import { readFileSync } from 'node:fs';
import { placeOf, toAbsolute } from '#components/application-place.ts';
import type { BuiltScope } from '#components/scope.ts';
import { ConfigError } from '#config/config-error.ts';
import type { Config } from '#config/config.ts';
import { isCrossSite } from '#sessions/cross-site.ts';
import { toListener } from '#http/to-listener.ts';
import type { Part } from '../front.ts';
import type { Rooms } from '../rooms.ts';
import { createRegistryApp } from './app.ts';
import type { GatewayDeps } from './gateway/gateway.ts';
import { readGatewayOptions, type GatewayOptions } from './gateway/options.ts';

/** The registry role: the gateways that deploy.json names, each below its base. */
export async function buildRegistry(rooms: Rooms, { gateways }: BuiltScope): Promise<Part> {
  const { log, config, secure } = rooms;
  const built = Array.from(gateways, ([name, options]) => toGateway(readGateway(name, options, config), rooms));
  const app = createRegistryApp({ log, gateways: built, trustProxy: config.installation.trustProxy, secure });
  return { prefixes: built.map(({ options }) => options.base), answer: toListener(app) };
}

function toGateway(options: GatewayOptions, { config, sessions, log }: Rooms): GatewayDeps {
  const { settings, installation } = config;
  return {
    options,
    log,
    timeoutMs: settings('gateway.timeout') * 1000,
    renewAfterMs: Math.min(600_000, settings('rest.tokenLifetime') * 500),
    restUrl: () => settings('rest.internalUrl') || ownUrl(installation),
    async readSession(cookieHeader) {
      const session = await sessions.read(cookieHeader);
      return session && { identity: session.user };
    },
    isCrossSite: ({ method = '', headers }) =>
      isCrossSite({
        method,
        origin: headers.origin ?? '',
        secFetchSite: headers['sec-fetch-site'] ?? '',
        publicUrl: installation.publicUrl,
      }),
  };
}

/** Where a process that also serves /rest reaches itself. */
function ownUrl({ host, port }: Rooms['config']['installation']): string {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const own = everywhere[host] ?? host;
  return `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
}

/** Options of a gateway as deploy.json has them. Throws ConfigError with every fault. */
export function readGateway(name: string, options: unknown, config: Config): GatewayOptions {
  const path = `modules.registry.globals.di.${name}.options`;
  try {
    const place = placeOf(config.application, config.namespace);
    return readGatewayOptions(options, path, (file) => readFileSync(toAbsolute(file, place), 'utf8'));
  } catch (error) {
    throw new ConfigError([{ file: config.file, path: '', message: (error as Error).message }], error);
  }
}
