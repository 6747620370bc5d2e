import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';

/** Where an application lies and which names mean it. */
export interface ApplicationPlace {
  readonly folder: string;
  readonly names: ReadonlySet<string>;
}

export function placeOf(folder: string, namespace: string): ApplicationPlace {
  const real = realpathSync(folder);
  const names = [basename(folder), basename(real), namespace, packageName(real)];
  return { folder: real, names: new Set(names.filter((name) => name !== undefined)) };
}

function packageName(folder: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined; // no package.json, or none that npm would read
  }
}

type Found = { readonly file: string } | { readonly missing: string } | { readonly refused: string };

const endings = ['', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '/index.ts', '/index.mts', '/index.cts', '/index.js', '/index.mjs', '/index.cjs']; // prettier-ignore

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const mainOf = (folder: string): readonly string[] => {
  try {
    const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { main?: unknown };
    return typeof main === 'string' && !main.split('/').includes('..')
      ? [join(folder, main), join(folder, `${main}.js`)]
      : [];
  } catch {
    return [];
  }
};

/** `applications/<app>/…` and `./x` as a file. `refused`: it leads out of the folder it names, which no path may. */
export function findModule(path: string, place: ApplicationPlace): Found {
  if (isAbsolute(path) || path.includes('\\') || path.split('/').includes('..'))
    return { refused: `the module path ${path} leads out of the application` };
  const split = splitPath(path, place);
  if (split === undefined) return { missing: `there is no module ${path}` };
  const start = join(split.root, split.rest);
  const file = [...endings.map((ending) => `${start}${ending}`), ...mainOf(start)].find(isFile);
  if (file === undefined) return { missing: `there is no module ${path}` };
  if (!realpathSync(file).startsWith(`${split.root}${sep}`))
    return { refused: `the module path ${path} leads out of the application by a symbolic link` };
  return { file };
}

/** The folder a path may not leave, and the rest; undefined for a path of no known kind. */
function splitPath(path: string, place: ApplicationPlace): { root: string; rest: string } | undefined {
  if (path.startsWith('./')) return { root: place.folder, rest: path.slice(2) };
  const [, name, rest] = /^applications\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  return { root: place.names.has(name) ? place.folder : join(dirname(place.folder), name), rest };
}

/** A path of an option (`file://…`) or of old code as an absolute one; it names data, so it may lie anywhere. */
export function toAbsolute(path: string, place: ApplicationPlace): string {
  if (isAbsolute(path)) return path;
  const split = splitPath(path, place);
  return split === undefined ? join(place.folder, path) : join(split.root, split.rest);
}
