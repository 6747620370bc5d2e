import type { Class, Loaded, Lookup, Property, TitlePart } from './class.ts';
import { calculate, createScope } from './scope.ts';
import { captionOf } from './selection.ts';

const form = /^\s*([\p{L}\w.$-]+)\s*(?:\[\s*(\d+)\s*(?:,\s*(\d+)\s*)?\]\s*)?$/u;
const deepest = 6;

/** Compiles the semantic of every class, once all are known: what names no attribute is literal text. */
export function compileTitles(classes: readonly Class[], find: (code: string) => Class | undefined): void {
  for (const one of classes) (one as { title: readonly TitlePart[] }).title = compileTitle(one, find);
}

function compileTitle(itsClass: Class, find: (code: string) => Class | undefined): readonly TitlePart[] {
  if (itsClass.semantic === '') return [];
  return itsClass.semantic.split('|').map((part) => {
    const [, path, start = '0', length] = form.exec(part) ?? [];
    const steps = path?.split('.') ?? [];
    if (!reaches(itsClass, steps, find)) return { text: part };
    return { path: steps, start: Number(start), length: length === undefined ? undefined : Number(length) };
  });
}

function reaches(
  itsClass: Class,
  [name, ...rest]: readonly string[],
  find: (code: string) => Class | undefined,
): boolean {
  const property = name === undefined ? undefined : itsClass.properties.get(name);
  if (property === undefined || rest.length === 0) return property !== undefined;
  const target = property.target === undefined ? undefined : find(property.target);
  return target !== undefined && target.family.some((code) => reaches(find(code) ?? target, rest, find));
}

/**
 * `__string` of an object: its class's semantic with display values, else its key. References that `lookup` does not
 * give are shown as their key.
 */
export function renderTitle(object: Loaded, lookup: Lookup, now: Date = new Date(), depth = 0): string {
  if (depth > deepest) return object.id;
  const text = object.itsClass.title
    .map((part) => {
      if ('text' in part) return part.text;
      const shown = displayPath(object, part.path, lookup, now, depth);
      return shown.slice(part.start, part.length === undefined ? undefined : part.start + part.length);
    })
    .join('');
  return text.trim() === '' ? object.id : text;
}

function displayPath(
  object: Loaded,
  [name, ...rest]: readonly string[],
  lookup: Lookup,
  now: Date,
  depth: number,
): string {
  const property = object.itsClass.properties.get(name!);
  if (property === undefined) return '';
  if (rest.length === 0) return display(object, property, lookup, now, depth);
  return targetsOf(object, property, lookup)
    .map((target) => displayPath(target, rest, lookup, now, depth))
    .filter((text) => text !== '')
    .join(', ');
}

/** A value as people read it: captions of selections, titles of references, dates as `YYYY-MM-DD HH:mm` in UTC, nothing for null. */
export function display(object: Loaded, property: Property, lookup: Lookup, now: Date = new Date(), depth = 0): string {
  if (property.target !== undefined) {
    const targets = targetsOf(object, property, lookup);
    if (targets.length > 0) return targets.map((target) => renderTitle(target, lookup, now, depth + 1)).join(', ');
  }
  const stored =
    property.formula && !property.cached
      ? calculate(property, createScope(object, lookup, { now }))
      : object.doc[property.name];
  if (stored === null || stored === undefined) return '';
  return captionOf(property, property.type.toJson(stored, property)) ?? property.type.toText(stored, property);
}

function targetsOf(object: Loaded, property: Property, lookup: Lookup): readonly Loaded[] {
  if (property.target === undefined) return [];
  if (property.type.shape === 'list') return lookup.items(object, property);
  const id = object.doc[property.name];
  const target = typeof id === 'string' ? lookup.object(property.target, id) : undefined;
  return target ? [target] : [];
}
