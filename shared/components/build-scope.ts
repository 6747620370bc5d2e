import { ConfigError } from '#config/config-error.ts';
import { adaptLegacyService } from '#service/legacy/adapt-service.ts';
import { isLegacyService } from '#service/legacy/legacy-service.ts';
import { Service } from '#service/service.ts';
import { Builder } from './builder.ts';
import { collectEntries, type Entry } from './entries.ts';
import { initialize, type ScopeFor } from './initialize.ts';
import { messageOf } from './obstacle.ts';
import type { BuiltScope, Options, Scope, ScopeInput } from './scope.ts';

/**
 * Builds what deploy.json names: the application's components with their init methods, then the rest module's, then the
 * options of gateways. Throws ConfigError with every fault: a service, a gateway or OAuth that cannot be, an unknown name, a
 * cycle. Any other component that cannot be is left out with a warning.
 */
export async function buildScope(input: ScopeInput): Promise<BuiltScope> {
  const entries = collectEntries(input);
  const builder = new Builder(input, entries);
  const all = [entries.application, entries.rest];
  const scopeFor: ScopeFor = (legacy) =>
    Object.fromEntries(
      all.flatMap((level) => Array.from(level, ([name, entry]) => [name, builder.seenBy(entry, legacy)] as const)),
    );
  for (const level of all) {
    for (const entry of level.values()) await builder.build(entry);
    if (input.initialize !== false) await initialize(level.values(), builder, scopeFor);
  }
  const gateways = new Map<string, Options>();
  for (const entry of entries.gateways.values()) {
    const options = await builder.gatewayOptions(entry);
    if (options !== undefined) gateways.set(entry.name, options);
  }
  const { services, builtinServices } = listServices(entries.rest.values(), builder);
  if (builder.faults.length > 0) throw new ConfigError(builder.faults);
  return { services, builtinServices, gateways, scope: createScope(all, builder), warnings: builder.warnings };
}

function listServices(entries: Iterable<Entry>, builder: Builder): Pick<BuiltScope, 'services' | 'builtinServices'> {
  const services = new Map<string, Service>();
  const builtinServices = new Map<string, string>();
  for (const entry of entries) {
    if (entry.state.is !== 'built') continue;
    const { component, module } = entry.state;
    const service = asService(entry, component, builder);
    if (service === undefined) continue;
    services.set(entry.name, service);
    if (module !== undefined) builtinServices.set(entry.name, module);
  }
  return { services, builtinServices };
}

/** Undefined for a plain component, such as a converter. */
function asService({ name, path, definition }: Entry, component: unknown, builder: Builder): Service | undefined {
  if (component instanceof Service) return component as Service;
  if (!isLegacyService(component)) return undefined;
  try {
    return adaptLegacyService(name, component, { ...definition.options }, builder);
  } catch (thrown) {
    builder.fault(path, `service ${name}: ${messageOf(thrown)}`);
    return undefined;
  }
}

function createScope(levels: readonly ReadonlyMap<string, Entry>[], builder: Builder): Scope {
  const built = levels.flatMap((level) => [...level.values()]).filter((entry) => entry.state.is === 'built');
  return {
    get: (name) => {
      const entry = built.find((one) => one.name === name);
      return entry === undefined ? undefined : builder.seenBy(entry, false);
    },
    names: [...new Set(built.map(({ name }) => name))],
  };
}
