import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '#log.ts';
import type { Class, Classes } from '#meta/class.ts';
import { isErrno } from '#meta/errno.ts';
import { mergeOver } from '#meta/override.ts';
import type { Values } from './repository.ts';

/** One seed: an object as a file of the application's `data` folder has it. */
export interface Seed {
  readonly file: string;
  readonly itsClass: Class;
  readonly id: string;
  readonly values: Values;
  /** SHA-256 of the content, hex. */
  readonly hash: string;
}

/** The names of all seed files, sorted; none when there is no such folder. */
export async function listSeeds(folder: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
    return names.filter((name) => name.endsWith('.json') && !name.endsWith('.override.json')).toSorted();
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Reads one seed with its override file; undefined, with a warning, when it is none. */
export async function readSeed(folder: string, file: string, classes: Classes, log: Log): Promise<Seed | undefined> {
  const place = placeOf(file, classes);
  if (!place) {
    log.warn('a seed is of no known class, or its name is not <class>@<namespace>@<id>.json', { file });
    return undefined;
  }
  try {
    const base = await readFile(join(folder, file), 'utf8');
    const over = await readFile(join(folder, file.replace(/\.json$/, '.override.json')), 'utf8').catch(orNothing);
    const values: unknown = over === undefined ? parse(base) : mergeOver(parse(base), parse(over));
    if (typeof values !== 'object' || values === null || Array.isArray(values)) throw new Error('it holds no object');
    const hash = createHash('sha256')
      .update(base)
      .update(over ?? '')
      .digest('hex');
    return { file, ...place, values: values as Values, hash };
  } catch (error) {
    log.warn('a seed cannot be read', { file, error });
    return undefined;
  }
}

const parse = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ''));

function orNothing(error: unknown): undefined {
  if (isErrno(error, 'ENOENT')) return undefined;
  throw error;
}

/** `<class>@<namespace>@<id>`, or `<class>@<id>` for a class of the application; each part is URL-encoded. */
function placeOf(file: string, classes: Classes): { readonly itsClass: Class; readonly id: string } | undefined {
  const parts = file
    .replace(/^.*\//, '')
    .replace(/\.json$/, '')
    .split('@')
    .map(decode);
  for (const length of [2, 1]) {
    const itsClass = parts.length > length ? classes.get(parts.slice(0, length).join('@')) : undefined;
    const id = parts.slice(length).join('@');
    if (itsClass && !itsClass.isStruct && id !== '') return { itsClass, id };
  }
  return undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a name with a lone % means itself
  }
}
