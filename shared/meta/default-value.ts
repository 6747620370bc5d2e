import type { Value } from '#stores/object-store.ts';
import type { Property, Scope } from './class.ts';
import { fit } from './scope.ts';
import type { Checked } from './property.ts';

export interface DefaultSource {
  readonly now: Date;
  /** `<user>@<type>`; null: nobody. */
  readonly identity: string | null;
  /** Attributes of the caller's account. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Of the object under creation, for defaults that are formulas. */
  readonly scope?: Scope;
}

/** The default of an attribute in stored form. Undefined: it has none, or none for this caller. */
export function defaultFor(property: Property, from: DefaultSource): Checked | undefined {
  const raw = property.defaultValue;
  if (raw === undefined || raw === null || raw === '') return undefined;
  if (property.defaultFormula) {
    const value = from.scope ? fit(property, property.defaultFormula.evaluate(from.scope)) : null;
    return value === null ? undefined : { value };
  }
  if (typeof raw === 'string' && raw.startsWith('$$')) return ofCaller(property, raw.slice(2), from);
  if (property.type.name === 'datetime' && (raw === 'now' || raw === '$$now')) return { value: from.now.toISOString() };
  return convert(property, raw);
}

function ofCaller(property: Property, name: string, { identity, properties, now }: DefaultSource): Checked | undefined {
  if (name === 'now') return convert(property, now);
  const raw = name === 'uid' ? identity : Object.hasOwn(properties, name) ? properties[name] : undefined;
  return raw === undefined || raw === null || raw === '' ? undefined : convert(property, raw);
}

/** As sent; where text is wanted, numbers and truth values as text. */
function convert(property: Property, raw: unknown): Checked {
  const checked = property.type.toStored(raw, property);
  const isPlain = typeof raw === 'number' || typeof raw === 'boolean';
  return 'fault' in checked && isPlain ? property.type.toStored(String(raw), property) : checked;
}

/** What an autoassigned attribute without a value gets; undefined: nothing, or a number of a counter (`isCounted`). */
export const assignedTo = (property: Property, now: Date): Value | undefined =>
  property.autoassigned ? property.type.assign?.(now) : undefined;

/** Whether an autoassigned attribute takes the next number of an atomic counter. */
export const isCounted = ({ autoassigned, type }: Property): boolean =>
  autoassigned && (type.name === 'integer' || type.name === 'decimal' || type.name === 'real');
