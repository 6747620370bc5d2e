import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'ini';
import { isTree, merge, valueAt } from './merge.ts';

/** A value by its dotted name: flat `a.b=v`, `b=v` in section `[a]`, or the list of `a.b[]=v`. */
export type Lookup = (name: string) => unknown;

/** The `*.ini` files of a folder, later names over earlier ones. */
export async function readIni(folder: string): Promise<Lookup> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.ini')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const values = texts.reduce<unknown>((sum, text) => merge(sum, parseIni(text), 'replace'), {});
  return (name) => valueAt(values, [name]) ?? valueAt(values, name.split('.'));
}

/** As plain objects; a dotted section `[a.b]` is nested by the parser. */
export function parseIni(text: string): unknown {
  const plain = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(plain) : isTree(value) ? mapValues(value, plain) : value;
  return plain(parse(text));
}

const mapValues = (tree: object, map: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, map(value)]));
