/** Names that old services ask for → files of `modules/`. With `@<scope>/` in front of the rest and core ones too. */
const files: Readonly<Record<string, string>> = {
  'rest/lib/interfaces/Service': 'service',
  'rest/errors/backend-errors': 'backend-errors',
  'core/IonError': 'ion-error',
  'core/errors/front-end': 'front-end-errors',
  'core/errors/data-repo': 'data-repo-errors',
  'core/errors/meta-repo': 'meta-repo-errors',
  'core/errors/workflow': 'workflow-errors',
  'core/FunctionCodes': 'function-codes',
  'core/PropertyTypes': 'property-types',
  'core/Permissions': 'permissions',
  'core/UserTypes': 'user-types',
  'core/util/normalize': 'normalize',
  'core/util/read': 'read',
  'core/User': 'user',
  'core/system': 'system',
  'core/di': 'di',
  'core/interfaces/Logger': 'logger',
  'core/interfaces/DataRepository': 'data-repository',
  'core/impl/log/LoggerProxy': 'logger',
};

/** Packages of the old core that this installation stands in for where an application has none of its own. */
const standIns: Readonly<Record<string, string>> = {
  'js-yaml': 'js-yaml',
  clone: 'clone',
  merge: 'merge',
  'uuid/v1': 'uuid-v1',
  'uuid/v4': 'uuid-v4',
};

export const corePackages = ['moment', 'lodash', 'uuid', 'js-yaml', 'clone', 'merge'] as const;

const urlOf = (file: string): string => new URL(`./modules/${file}.ts`, import.meta.url).href;

const key = (specifier: string): string =>
  specifier
    .replace(/^modules\/(?=rest\/)/, '')
    .replace(/^@[^/]+\/(?=rest\/|core\/)/, '')
    .replace(/\.js$/, '')
    .replace(/\/index$/, '');

/** The file behind a virtual name; undefined for every other name. */
export function virtualModule(specifier: string): string | undefined {
  if (specifier === 'portico') return new URL('../index.ts', import.meta.url).href;
  const name = key(specifier);
  const file = /^(modules|core|@[^/]+)\//.test(specifier) && Object.hasOwn(files, name) ? files[name] : undefined;
  return file === undefined ? undefined : urlOf(file);
}

export const standIn = (specifier: string): string | undefined => {
  const name = specifier.replace(/\.js$/, '');
  return Object.hasOwn(standIns, name) ? urlOf(standIns[name]!) : undefined;
};

/** Names below the old root that are not among ours: they never come from disk. */
export const isOldRoot = (specifier: string): boolean => /^(core|lib|modules)\//.test(specifier);
