import { ConfigError, type ConfigFault } from '#config/config-error.ts';
import type { Config } from '#config/config.ts';
import { loadConfig, type LoadOptions } from '#config/load-config.ts';
import { readMetadata } from '#meta/load.ts';
import { selectionFaults } from '#query/choices.ts';
import { registerApplication } from '#service/legacy/register-application.ts';
import { placeOf, toAbsolute } from './application-place.ts';
import { modesOf, unknownModes } from './auth-modes.ts';
import { buildScope } from './build-scope.ts';
import { wellKnown } from './module-paths.ts';
import { messageOf } from './obstacle.ts';
import type { Builtins, BuiltScope } from './scope.ts';
import { rightFor } from './service-rights.ts';
import { absorbingComponent } from './stand-ins.ts';

/** A way in: what a caller needs for one method and path of a service. */
export interface CheckedRoute {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly modes: readonly string[];
  /** Beside `use` on `s:::<service>`, where that is restricted; `''`: the service's own matter. */
  readonly right: string;
}

export interface Checked {
  /** With one of these nothing would start, or nobody would get in. */
  readonly faults: readonly ConfigFault[];
  readonly warnings: readonly string[];
  readonly routes: readonly CheckedRoute[];
}

/** Checks the options of a gateway; throws ConfigError. */
export type ReadGateway = (name: string, options: unknown, config: Config) => unknown;

/**
 * Everything a start would complain of, without stores and without starting: configuration, class files, components, modes,
 * routes. Constructors and `routes` of services run; init methods and handlers do not.
 */
export async function checkDeployment(
  load: LoadOptions,
  modules: Builtins['modules'],
  readGateway: ReadGateway,
): Promise<Checked> {
  try {
    const config = await loadConfig(load);
    const place = placeOf(config.application, config.namespace);
    const toPath = (path: string): string => toAbsolute(path, place);
    const unregister = registerApplication(config.application, { toAbsolute: toPath, context: () => undefined });
    try {
      return await checkConfig(config, modules, readGateway);
    } finally {
      unregister();
    }
  } catch (thrown) {
    if (thrown instanceof ConfigError) return { faults: thrown.faults, warnings: [], routes: [] };
    throw thrown;
  }
}

async function checkConfig(config: Config, modules: Builtins['modules'], readGateway: ReadGateway): Promise<Checked> {
  const classes = await readMetadata(config.application, config.namespace);
  const modes = checkModes(config);
  const faults: ConfigFault[] = [...classes.faults, ...modes.faults];
  const warnings = [
    ...config.warnings,
    ...classes.warnings.map(({ file, path, message }) => `${file}: ${path}: ${message}`),
    ...selectionFaults(classes.classes),
  ];
  const built = await build(config, modules).catch((thrown: unknown) => {
    if (!(thrown instanceof ConfigError)) throw thrown;
    faults.push(...thrown.faults);
    return undefined;
  });
  if (built === undefined) return { faults, warnings: [...warnings, ...modes.warnings], routes: [] };
  const { routes, faults: routeFaults } = await listRoutes(config, built);
  warnings.push(...modes.warnings, ...built.warnings, ...warningsOf(config, built));
  return { faults: [...faults, ...routeFaults, ...gatewayFaults(config, built, readGateway)], warnings, routes };
}

function gatewayFaults(config: Config, { gateways }: BuiltScope, readGateway: ReadGateway): readonly ConfigFault[] {
  return Array.from(gateways).flatMap(([name, options]) => {
    try {
      readGateway(name, options, config);
      return [];
    } catch (thrown) {
      if (thrown instanceof ConfigError) return thrown.faults;
      throw thrown;
    }
  });
}

/** With components that take every use and do nothing in place of the built-in ones. */
function build(config: Config, modules: Builtins['modules']): Promise<BuiltScope> {
  const { plugins, rest, registry, application, namespace, file } = config;
  const components = Object.fromEntries(Array.from(wellKnown, (name) => [name, absorbingComponent]));
  const log = { warn: () => {} };
  const builtins: Builtins = { components, modules };
  return buildScope({
    plugins,
    rest: rest.di,
    registry: registry.di,
    builtins,
    application,
    namespace,
    file,
    log,
    initialize: false,
  });
}

function checkModes({ file, rest, plugins }: Config): Pick<Checked, 'faults' | 'warnings'> {
  const faults: ConfigFault[] = [];
  const warnings: string[] = [];
  for (const [service, given] of Object.entries(rest.authMode)) {
    const path = `modules.rest.globals.authMode.${service}`;
    const modes = typeof given === 'string' ? [given] : given;
    const unknown = unknownModes(modes);
    if (!Object.hasOwn(rest.di, service) && service !== 'token')
      warnings.push(`${path}: there is no service ${service}`);
    else if (unknown.length > 0 || modes.length === 0)
      faults.push({
        file,
        path,
        message: `there is no mode ${unknown.join(', ') || '(empty list)'}: everybody is refused`,
      });
    else if (modes.includes('oauth') && !Object.hasOwn(plugins, 'oauth'))
      warnings.push(`${path}: mode oauth, but globals.plugins has no oauth`);
  }
  return { faults, warnings };
}

async function listRoutes(config: Config, built: BuiltScope): Promise<Pick<Checked, 'faults' | 'routes'>> {
  const routes: CheckedRoute[] = [];
  const faults: ConfigFault[] = [];
  for (const [name, service] of built.services) {
    const module = built.builtinServices.get(name);
    const modes = modesOf(name, config.rest.authMode, module);
    const add = (method: string, path: string): void =>
      void routes.push({ service: name, method: method.toUpperCase(), path, modes, right: rightFor(module, method.toUpperCase(), path) }); // prettier-ignore
    try {
      await service.routes({ add });
    } catch (thrown) {
      faults.push({ file: config.file, path: `modules.rest.globals.di.${name}`, message: `its routes cannot be listed: ${messageOf(thrown)}` }); // prettier-ignore
    }
  }
  return { routes, faults };
}

const warningsOf = (config: Config, built: BuiltScope): readonly string[] =>
  Array.from(built.services.keys()).flatMap((name) => {
    const path = `modules.rest.globals.di.${name}`;
    const unchecked = config.rest.di[name]?.options?.['access'] === 'unchecked';
    const open =
      modesOf(name, config.rest.authMode, built.builtinServices.get(name)).includes('none') &&
      built.builtinServices.has(name);
    return [
      ...(unchecked ? [`${path}.options.access: rights are not checked by this service`] : []),
      ...(open ? [`modules.rest.globals.authMode.${name}: a built-in service is open to everybody`] : []),
    ];
  });
