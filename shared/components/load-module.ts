import { pathToFileURL } from 'node:url';
import { LegacyService } from '#service/legacy/legacy-service.ts';
import { Service } from '#service/service.ts';

export interface LoadedModule {
  /** The default export, or what CommonJS exports. */
  readonly exported: unknown;
  /** Written for older installations: it gets the old objects. */
  readonly legacy: boolean;
}

export type LoadModule = (file: string) => Promise<LoadedModule>;

const extendsOne = (exported: unknown, base: { readonly prototype: object }): boolean =>
  typeof exported === 'function' &&
  (exported as { prototype: unknown }).prototype instanceof (base as unknown as typeof Object);

/** TypeScript, ESM or CommonJS alike. CommonJS is old-style unless it extends the Service of 'portico'. */
export const loadModule: LoadModule = async (file) => {
  const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  const common = module['module.exports'];
  const isCommon = Object.hasOwn(module, 'module.exports');
  const exported = isCommon ? unwrap(common) : (module['default'] ?? module);
  const legacy = extendsOne(exported, LegacyService) || (isCommon && !extendsOne(exported, Service));
  return { exported, legacy };
};

/** `exports.default` of code that a compiler turned from ESM into CommonJS. */
const unwrap = (exported: unknown): unknown =>
  typeof exported === 'object' && exported !== null && '__esModule' in exported && 'default' in exported
    ? exported.default
    : exported;
