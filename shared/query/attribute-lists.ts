import type { Class, Classes } from '#meta/class.ts';
import { queryFault, quote } from './fault.ts';

const most = 100;
const deepest = 10;
const system = new Set(['_id', 'id', '_creator', '_editor', '__string', '__class', '__classTitle']);

/** Attributes to answer: `a,b` or a list. Undefined: all. Unknown names are `AppError('bad_request')`; those every object has are let through. */
export function parseFields(raw: unknown, itsClass: Class): readonly string[] | undefined {
  const names = words(raw, /,/);
  if (names.length === 0) return undefined;
  return names.filter((name) => {
    if (itsClass.properties.has(name)) return true;
    if (system.has(name) || isCaption(name, itsClass)) return false;
    throw queryFault(`${quote(name)} is no attribute of ${itsClass.code}`, name);
  });
}

const isCaption = (name: string, { properties }: Class): boolean =>
  name.endsWith('_str') && properties.get(name.slice(0, -4))?.selection !== undefined;

/**
 * Paths of references and collections to load: `a|b.c`, a list of such, or a list of lists of names. What is no
 * reference or collection of its class is `AppError('bad_request')`.
 */
export function parseEager(
  raw: unknown,
  itsClass: Class,
  classes: Pick<Classes, 'get'>,
): readonly (readonly string[])[] {
  const listed: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const paths = listed.flatMap((one): string[][] => {
    if (!Array.isArray(one)) return words(one, /[|,]/).map((path) => path.split('.'));
    if (!one.every((name): name is string => typeof name === 'string'))
      throw queryFault(`${quote(one)} is no path to load`);
    return [one.flatMap((name) => name.split('.'))];
  });
  if (paths.length > most) throw queryFault(`at most ${most} paths can be loaded`);
  for (const path of paths) checkPath(path, itsClass, classes);
  return paths;
}

function checkPath(path: readonly string[], itsClass: Class, classes: Pick<Classes, 'get'>): void {
  if (path.length > deepest) throw queryFault(`a path to load has at most ${deepest} steps`);
  let at = families(itsClass.code, classes);
  for (const name of path) {
    const targets = at.flatMap((one) => one.properties.get(name)?.target ?? []);
    if (targets.length === 0)
      throw queryFault(`${quote(path.join('.'))} is no reference or collection of ${itsClass.code}`, path.join('.'));
    at = targets.flatMap((code) => families(code, classes));
  }
}

/** A class and those below it, whose attributes a list of it may load as well. */
const families = (code: string, classes: Pick<Classes, 'get'>): readonly Class[] =>
  (classes.get(code)?.family ?? []).flatMap((one) => classes.get(one) ?? []);

function words(raw: unknown, between: RegExp): readonly string[] {
  if (raw === null || raw === undefined || raw === '') return [];
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  return list.flatMap((one) => {
    if (typeof one !== 'string') throw queryFault(`${quote(one)} is no name`);
    return one
      .split(between)
      .map((word) => word.trim())
      .filter((word) => word !== '');
  });
}
