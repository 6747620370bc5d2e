import type { ComponentDefinition, ComponentDefinitions } from '#config/config.ts';
import { builtinModule, gatewayModule, serviceModule } from './module-paths.ts';
import type { Builtins, ScopeInput } from './scope.ts';

export type Level = 'application' | 'rest' | 'registry';

export type State =
  | { readonly is: 'waiting' | 'building' }
  | {
      readonly is: 'built';
      readonly component: unknown;
      readonly initializer: object | undefined;
      readonly legacy: boolean;
      readonly module: string | undefined;
    }
  /** `reported`: as a fault; else as a warning. */
  | { readonly is: 'absent'; readonly why: string; readonly reported: boolean };

/** A component on its way from definition to instance. */
export interface Entry {
  readonly name: string;
  readonly level: Level;
  readonly definition: ComponentDefinition;
  /** Where it stands in deploy.json. */
  readonly path: string;
  /** One of this installation's own by name; a deployment can change its options or replace it. */
  readonly builtin: boolean;
  /** Eager and lazy references, for what must be left out together. */
  readonly needs: Set<Entry>;
  state: State;
}

/** Services, gateways and OAuth are what a deployment is for: without one of them there is no start. */
export const isVital = (entry: Entry): boolean => entry.level !== 'application' || entry.name === 'oauth';

export interface Entries {
  readonly application: ReadonlyMap<string, Entry>;
  readonly rest: ReadonlyMap<string, Entry>;
  readonly gateways: ReadonlyMap<string, Entry>;
  /** The entry of an inline definition, by the object that defines it. */
  readonly inline: ReadonlyMap<object, Entry>;
}

const placeOfLevel: Readonly<Record<Level, string>> = {
  application: 'globals.plugins',
  rest: 'modules.rest.globals.di',
  registry: 'modules.registry.globals.di',
};

/** `{name, module, options}` as the value of an option. */
const isInline = (value: object): value is ComponentDefinition & { readonly name: string } =>
  'name' in value && typeof value.name === 'string' && 'module' in value && typeof value.module === 'string';

export function collectEntries({ plugins, rest, registry, builtins }: ScopeInput): Entries {
  const inline = new Map<object, Entry>();
  const collect = (level: Level, definitions: ComponentDefinitions): Map<string, Entry> => {
    const entries = new Map<string, Entry>();
    const add = (name: string, definition: ComponentDefinition, path: string): Entry => {
      const builtin = level === 'application' && Object.hasOwn(builtins.components, name);
      const entry: Entry = { name, level, definition, path, builtin, needs: new Set(), state: { is: 'waiting' } };
      if (!entries.has(name)) entries.set(name, entry);
      addInline(definition.options, `${path}.options`);
      return entry;
    };
    const addInline = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (isInline(value)) inline.set(value, add(value.name, value, path));
      else for (const [key, held] of Object.entries(value)) addInline(held, `${path}.${key}`);
    };
    for (const [name, definition] of Object.entries(definitions))
      add(name, definition, `${placeOfLevel[level]}.${name}`);
    return entries;
  };
  return {
    application: collect('application', { ...ownComponents(builtins), ...plugins }),
    rest: collect('rest', withToken(rest, builtins)),
    gateways: collect('registry', gatewaysOf(registry)),
    inline,
  };
}

/** Of the registry's components only gateways are built, whatever their name. */
export const gatewaysOf = (registry: ComponentDefinitions): ComponentDefinitions =>
  Object.fromEntries(
    Object.entries(registry).filter(
      ([, { module }]) => module !== undefined && builtinModule(module) === gatewayModule,
    ),
  );

const ownComponents = ({ components }: Builtins): ComponentDefinitions =>
  Object.fromEntries(Object.keys(components).map((name) => [name, {}]));

/** The token service exists without registration. */
function withToken(rest: ComponentDefinitions, { modules }: Builtins): ComponentDefinitions {
  const module = serviceModule('token');
  if (!Object.hasOwn(modules, module)) return rest;
  const given = rest['token'];
  return { ...rest, token: { ...(given?.executable === undefined ? { module } : {}), ...given } };
}
