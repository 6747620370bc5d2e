import { keyText } from '#meta/key.ts';
import type { Checked } from '#meta/property.ts';
import { barred, some, stepOf, type Attribute, type Step } from './attribute.ts';
import { queryFault, quote } from './fault.ts';
import { all, isScalar, negate, none, type Filter, type Scalar } from './filter.ts';
import { parseRegex } from './regex.ts';

/** The words of every notation, once. */
export type Comparison = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'like' | 'in' | 'empty' | 'nempty' | 'regex';

/** Values an `in` may hold. */
export const mostValues = 10_000;

/** A comparison on an attribute as a filter; values become stored form. Throws a 400 that names what does not fit. */
export function compare(word: Comparison, attribute: Attribute, value: unknown): Filter {
  const reason = barred(attribute.property);
  if (reason) throw queryFault(`${quote(attribute.written)} ${reason}: it cannot be filtered by`, attribute.written);
  switch (word) {
    case 'eq': return equals(attribute, value);
    case 'ne': return negate(equals(attribute, value));
    case 'in': return among(attribute, value);
    case 'empty': return isEmpty(attribute);
    case 'nempty': return negate(isEmpty(attribute));
    case 'like': return within(attribute, { op: 'like', path: textPath(attribute, word), text: text(attribute, value) }, false);
    case 'regex': return within(attribute, { ...parseRegex(text(attribute, value)), path: textPath(attribute, word) }, false);
    default: return ordered(word, attribute, value);
  }
} // prettier-ignore

function equals(attribute: Attribute, value: unknown): Filter {
  if (value === null) return isNull(attribute);
  const { property } = attribute;
  const stored = convert(attribute, value);
  if (property?.backRef !== undefined) return throughItems(attribute, { op: 'eq', path: '_id', value: stored });
  const leaf: Filter = isList(attribute)
    ? { op: 'has', path: property!.name, value: stored }
    : { op: 'eq', path: pathOf(attribute), value: stored };
  return within(attribute, leaf, false);
}

const isNull = (attribute: Attribute): Filter =>
  isList(attribute) ? isEmpty(attribute) : within(attribute, { op: 'eq', path: pathOf(attribute), value: null }, true);

function among(attribute: Attribute, value: unknown): Filter {
  if (!Array.isArray(value)) throw queryFault(`"in" on ${quote(attribute.written)} takes a list`, attribute.written);
  if (value.length > mostValues) throw queryFault(`"in" takes at most ${mostValues} values`, attribute.written);
  const values = [...new Set(value.map((one: unknown) => (one === null ? null : convert(attribute, one))))];
  if (values.length === 0) return none;
  if (attribute.property?.backRef !== undefined) return throughItems(attribute, { op: 'in', path: '_id', values });
  if (!isList(attribute))
    return within(attribute, { op: 'in', path: pathOf(attribute), values }, values.includes(null));
  const parts = values.map((one): Filter =>
    one === null ? { op: 'empty', path: pathOf(attribute) } : { op: 'has', path: pathOf(attribute), value: one },
  );
  return within(attribute, { op: 'or', parts }, values.includes(null));
}

function isEmpty(attribute: Attribute): Filter {
  if (attribute.property?.backRef !== undefined) return negate(throughItems(attribute, all));
  return within(attribute, { op: 'empty', path: pathOf(attribute) }, true);
}

function ordered(word: 'lt' | 'lte' | 'gt' | 'gte', attribute: Attribute, value: unknown): Filter {
  const [name, ...more] = attribute.itsClass.key;
  const key = name === undefined || more.length > 0 ? undefined : attribute.itsClass.properties.get(name);
  const by = attribute.property ?? key; // an id is text, but the order of a single key is that of its attribute
  if (by && (!by.type.ordered || by.target !== undefined || isList(attribute))) {
    throw queryFault(`${quote(attribute.written)} has no order for "${word}"`, attribute.written);
  }
  if (value === null) throw queryFault(`"${word}" on ${quote(attribute.written)} takes a value`, attribute.written);
  const same = by ? { ...attribute, property: by } : attribute;
  return within(attribute, { op: word, path: by?.name ?? '_id', value: convert(same, value) }, false);
}

const pathOf = ({ property }: Attribute): string => property?.name ?? '_id';
const isList = ({ property }: Attribute): boolean => property?.type.shape === 'list';

function textPath(attribute: Attribute, word: string): string {
  if (attribute.property && !attribute.property.type.textual) {
    throw queryFault(
      `"${word}" works on text, ${quote(attribute.written)} is ${attribute.property.type.name}`,
      attribute.written,
    );
  }
  return pathOf(attribute);
}

function text(attribute: Attribute, value: unknown): string {
  if (typeof value === 'string' && value.isWellFormed()) return value;
  throw queryFault(`${quote(attribute.written)} is compared with a text here`, attribute.written);
}

/** A value in stored form and of the attribute's type; for lists the form of a member. */
function convert(attribute: Attribute, value: unknown): Scalar {
  const checked = check(attribute, value);
  if ('fault' in checked) throw queryFault(`${quote(attribute.written)} ${checked.fault}`, attribute.written);
  const stored =
    Array.isArray(checked.value) && isList(attribute) ? (checked.value as readonly unknown[])[0] : checked.value;
  if (isScalar(stored)) return stored;
  throw queryFault(`${quote(attribute.written)} can only be compared by "empty" and "nempty"`, attribute.written);
}

function check(attribute: Attribute, value: unknown): Checked {
  const { property, itsClass } = attribute;
  if (property) return property.type.toStored(isList(attribute) ? [value] : value, property);
  const [name, ...more] = itsClass.key;
  const key = name === undefined || more.length > 0 ? undefined : itsClass.properties.get(name);
  if (typeof value !== 'string' && typeof value !== 'number') return { fault: 'must be a key' };
  if (!key || key.type.textual) return { value: String(value) };
  const checked = key.type.toStored(value, key);
  return 'fault' in checked ? checked : { value: keyText(key, checked.value) };
}

/**
 * The condition on the object that the path leads to, as one on the object it starts from. What is missing on the way
 * counts as null: `orNull` says that the condition holds for null.
 */
export function within({ steps }: Attribute, leaf: Filter, orNull: boolean): Filter {
  const many = steps.some(({ reach }) => reach.kind !== 'reference');
  return orNull && !many && steps.length > 0 ? negate(nest(steps, negate(leaf))) : nest(steps, leaf);
}

const nest = (steps: readonly Step[], leaf: Filter): Filter =>
  steps.reduceRight((part, step) => some(step, part), leaf);

/** A condition on the items of a computed collection. */
const throughItems = (attribute: Attribute, part: Filter): Filter =>
  within(attribute, some(stepOf(attribute), part), false);
