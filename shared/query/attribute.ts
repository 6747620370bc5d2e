import type { Class, Classes, Property } from '#meta/class.ts';
import { all, and, type Filter, type Reach } from './filter.ts';
import { queryFault, quote } from './fault.ts';

/** What a path of a filter means: how to get to the object, and its attribute there. */
export interface Attribute {
  /** As written, for messages. */
  readonly written: string;
  readonly steps: readonly Step[];
  /** The class that has the attribute. */
  readonly itsClass: Class;
  /** Undefined: the object's key. */
  readonly property: Property | undefined;
  /** Of a reference or collection, where its class is known. */
  readonly target: Class | undefined;
}

/** A reference or collection that is passed, and the class behind it. */
export interface Step {
  readonly reach: Reach;
  readonly target: Class;
}

/** Undefined: there is no such attribute. */
export function findAttribute(itsClass: Class, written: string, classes: Pick<Classes, 'get'>): Attribute | undefined {
  const steps: Step[] = [];
  const names = written.split('.');
  let at = itsClass;
  for (const [index, name] of names.entries()) {
    const property = at.properties.get(name);
    const isLast = index === names.length - 1;
    const target = property?.target === undefined ? undefined : classes.get(property.target);
    if (isLast && (property || name === '_id' || name === 'id'))
      return { written, steps, itsClass: at, property, target };
    if (isLast || !property || !target) return undefined;
    steps.push({ reach: reachOf(property, target), target });
    at = target;
  }
  return undefined;
}

export function attributeOf(itsClass: Class, written: string, classes: Pick<Classes, 'get'>): Attribute {
  const found = findAttribute(itsClass, written, classes);
  if (!found) throw queryFault(`${quote(written)} is no attribute of ${itsClass.code}`, written);
  return found;
}

/** How the objects that a reference or collection names are reached. */
export function reachOf(property: Property, target: Class): Reach {
  const to = { collection: target.collection, target: target.code };
  if (property.backRef !== undefined) return { kind: 'back', path: property.backRef, ...to };
  return { kind: property.type.shape === 'list' ? 'list' : 'reference', path: property.name, ...to };
}

/** At least one object behind the step fulfils the condition. Where classes share a store, only those of the target count. */
export function some({ reach, target }: Step, part: Filter): Filter {
  const isPart = reach.kind === 'back' && target.ancestor !== undefined;
  const own: Filter = isPart ? { op: 'in', path: '_class', values: target.family } : all;
  return { op: 'some', reach, part: and(own, part) };
}

/** The step that an attribute itself is, for conditions on what it refers to. */
export function stepOf({ property, target, written }: Attribute): Step {
  if (!property || property.target === undefined) throw queryFault(`${quote(written)} refers to no objects`, written);
  if (!target) throw queryFault(`the class of ${quote(written)} is not known`, written);
  return { reach: reachOf(property, target), target };
}

/** Why an attribute cannot be filtered or sorted by at all, or undefined. */
export function barred(property: Property | undefined): string | undefined {
  if (property === undefined) return undefined;
  if (property.type.name === 'password') return 'is a password';
  if (property.formula && !property.cached) return 'is calculated and not stored ("cached")';
  return undefined;
}
