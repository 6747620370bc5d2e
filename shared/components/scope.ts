import type { ComponentDefinitions } from '#config/config.ts';
import type { Log } from '#log.ts';
import type { Service } from '#service/service.ts';
import type { LoadModule } from './load-module.ts';

export type Options = Readonly<Record<string, unknown>>;

/** Makes a built-in component. `module`: the canonical built-in module that deploy.json names for it, if it names one. */
export type MakeComponent = (options: Options, module: string | undefined) => unknown;

/** Built-in classes; each takes options of its own type. */
export type BuiltinClass = new (options: never) => object;

/** What this installation brings along. */
export interface Builtins {
  /** By well-known name, such as `dataRepo`. All of them are made. */
  readonly components: Readonly<Record<string, MakeComponent>>;
  /** By canonical path, such as `modules/rest/lib/impl/crud`. */
  readonly modules: Readonly<Record<string, BuiltinClass>>;
  /** By well-known name: the built-in component as old-style code is to see it. */
  readonly legacy?: Readonly<Record<string, (component: unknown) => unknown>>;
}

export interface ScopeInput {
  readonly plugins: ComponentDefinitions;
  readonly rest: ComponentDefinitions;
  readonly registry: ComponentDefinitions;
  readonly builtins: Builtins;
  /** Folder of the application. */
  readonly application: string;
  readonly namespace: string;
  /** The deploy file, for faults. */
  readonly file: string;
  readonly log: Pick<Log, 'warn'>;
  /** False: init methods are not called. */
  readonly initialize?: boolean;
  readonly loadModule?: LoadModule;
}

export interface Scope {
  /** A component of the application or of the rest module; undefined when there is none of that name. */
  get(name: string): unknown;
  readonly names: readonly string[];
}

export interface BuiltScope {
  /** In the order of deploy.json, `token` last where it is not registered; old-style ones adapted. */
  readonly services: ReadonlyMap<string, Service>;
  /** Options of each gateway, references resolved. */
  readonly gateways: ReadonlyMap<string, Options>;
  readonly scope: Scope;
  /** What was logged as warnings while building. */
  readonly warnings: readonly string[];
  /** Canonical module of each service that is a built-in one. */
  readonly builtinServices: ReadonlyMap<string, string>;
}
