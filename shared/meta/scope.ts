import type { Value } from '#stores/object-store.ts';
import type { Loaded, Lookup, Property, Scope } from './class.ts';

export interface Surroundings {
  readonly now: Date;
  /** Numbers of sequences, reserved before; without it `next` is null. */
  readonly next?: (sequence: string) => number | null;
}

const deepest = 10;

/** What formulas see of an object: its own values and those of what `lookup` gives. */
export function createScope(object: Loaded, lookup: Lookup, { now, next }: Surroundings, depth = 0): Scope {
  const { itsClass, doc, id } = object;
  const within = (other: Loaded): Scope => createScope(other, lookup, { now, ...(next ? { next } : {}) }, depth + 1);

  function target(property: Property): Loaded | undefined {
    const key = doc[property.name];
    return property.target !== undefined && typeof key === 'string' ? lookup.object(property.target, key) : undefined;
  }

  function own(name: string): unknown {
    const property = itsClass.properties.get(name);
    if (!property)
      return name === 'id' || name === '_id' ? id : name === '_creator' || name === '_editor' ? doc[name] : null;
    if (property.formula && !property.cached)
      return depth > deepest ? null : toJson(property, calculate(property, scope));
    if (property.backRef !== undefined) return lookup.items(object, property).map((item) => item.id);
    return toJson(property, doc[property.name] ?? null);
  }

  const scope: Scope = {
    now,
    next: (sequence) => next?.(sequence) ?? null,
    get(path) {
      const [name, rest] = divide(path);
      if (rest === undefined) return own(name) ?? null;
      const property = itsClass.properties.get(name);
      if (!property || depth > deepest) return null;
      if (property.type.name === 'collection')
        return lookup.items(object, property).flatMap((item) => within(item).get(rest));
      const reached = target(property);
      return reached ? within(reached).get(rest) : null;
    },
    items(path) {
      const [name, rest] = divide(path);
      const property = itsClass.properties.get(name);
      if (!property || depth > deepest) return undefined;
      if (rest === undefined) {
        return property.type.name === 'collection' ? lookup.items(object, property).map(within) : undefined;
      }
      const reached = target(property);
      return reached && within(reached).items(rest);
    },
  };
  return scope;
}

const toJson = (property: Property, stored: Value): unknown =>
  stored === null ? null : property.type.toJson(stored, property);

function divide(path: string): [string, string | undefined] {
  const dot = path.indexOf('.');
  return dot < 0 ? [path, undefined] : [path.slice(0, dot), path.slice(dot + 1)];
}

/** The value of a calculated attribute in stored form; null where the formula's result does not fit the attribute. */
export function calculate(property: Property, scope: Scope): Value {
  const result = property.formula?.evaluate(scope) ?? null;
  return result === null ? null : fit(property, result);
}

/** A formula's result made to fit: whole numbers rounded, text of numbers. */
export function fit(property: Property, result: unknown): Value {
  const { type } = property;
  const given =
    typeof result === 'number' && type.name === 'integer'
      ? Math.round(result)
      : type.textual && (typeof result === 'number' || typeof result === 'boolean')
        ? String(result)
        : result;
  const checked = type.toStored(given, property);
  return 'fault' in checked ? null : checked.value;
}
