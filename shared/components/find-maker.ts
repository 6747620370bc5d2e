import { fileURLToPath } from 'node:url';
import { virtualModule } from '#service/legacy/virtual-modules.ts';
import { findModule, type ApplicationPlace } from './application-place.ts';
import { isVital, type Entry } from './entries.ts';
import { loadModule, type LoadedModule } from './load-module.ts';
import { builtinModule } from './module-paths.ts';
import { messageOf, Obstacle } from './obstacle.ts';
import type { Options, ScopeInput } from './scope.ts';

/** How an instance comes about, once its options are there. */
export interface Maker {
  /** Written for older installations: it gets the old objects. */
  readonly legacy: boolean;
  /** Of this installation: its init methods are its own matter. */
  readonly own: boolean;
  /** Canonical path, when it is a built-in module. */
  readonly module: string | undefined;
  make(options: Options): unknown;
  /** Carries the init methods instead of the component. */
  readonly holder?: object;
}

interface Deps {
  readonly input: ScopeInput;
  readonly place: ApplicationPlace;
  warn(message: string): void;
}

/** A built-in part, or the module of the application. Without either, a built-in component stays as it is. */
export async function findMaker(entry: Entry, deps: Deps): Promise<Maker> {
  const { module, executable } = entry.definition;
  const path = module ?? executable;
  if (path === undefined) return ownComponent(entry, deps, undefined);
  const canonical = builtinModule(path);
  const { modules } = deps.input.builtins;
  const itsClass = canonical !== undefined && Object.hasOwn(modules, canonical) ? modules[canonical] : undefined;
  if (itsClass !== undefined)
    return { legacy: false, own: true, module: canonical, make: (options) => new itsClass(options as never) };
  if (canonical !== undefined && entry.builtin) return ownComponent(entry, deps, canonical);
  const at = `${entry.path}.${module === undefined ? 'executable' : 'module'}`;
  const loaded = await load(path, at, deps);
  if ('exported' in loaded) return module === undefined ? executableMaker(loaded, path) : classMaker(loaded, path);
  if (!entry.builtin || isVital(entry)) throw new Obstacle('absent', at, loaded.why);
  deps.warn(`the built-in ${entry.name} stays: ${loaded.why}`);
  return {
    ...ownComponent(entry, deps, undefined),
    make: () => deps.input.builtins.components[entry.name]?.({}, undefined),
  };
}

function ownComponent({ name, path, builtin }: Entry, { input }: Deps, module: string | undefined): Maker {
  const make = builtin ? input.builtins.components[name] : undefined;
  if (make === undefined) throw new Obstacle('fault', path, `component ${name} names no module`);
  return { legacy: false, own: true, module, make: (options) => make(options, module) };
}

async function load(
  path: string,
  at: string,
  { input, place }: Deps,
): Promise<LoadedModule | { readonly why: string }> {
  const virtual = path.startsWith('core/') ? virtualModule(path) : undefined;
  const found = virtual === undefined ? findModule(path, place) : { file: fileURLToPath(virtual) };
  if ('refused' in found) throw new Obstacle('fault', at, found.refused);
  if ('missing' in found)
    return { why: /^(core|lib|modules|@[^/]+)\//.test(path) ? `${path} has no counterpart here` : found.missing };
  try {
    return await (input.loadModule ?? loadModule)(found.file);
  } catch (thrown) {
    return { why: `the module ${path} cannot be loaded: ${messageOf(thrown)}` };
  }
}

const asFunction = (exported: unknown, path: string): object => {
  if (typeof exported === 'function') return exported;
  throw new Error(`the module ${path} exports no class or function`);
};

const classMaker = ({ exported, legacy }: LoadedModule, path: string): Maker => ({
  legacy,
  own: false,
  module: undefined,
  make: (options) => new (asFunction(exported, path) as new (options: Options) => unknown)(options),
});

/** The export is called with the options; the component is what it gives, or the call itself when it gives nothing. */
const executableMaker = ({ exported, legacy }: LoadedModule, path: string): Maker => ({
  legacy,
  own: false,
  module: undefined,
  ...(typeof exported === 'function' ? { holder: exported } : {}),
  make: async (options) => {
    const run = asFunction(exported, path) as (options: Options) => unknown;
    return (await run(options)) ?? (() => run(options));
  },
});
