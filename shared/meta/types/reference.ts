import type { Value } from '#stores/object-store.ts';
import type { Property } from '../property.ts';
import type { Checked, PropertyType } from '../property.ts';
import { checkText } from './text-value.ts';

const isNumeric = (type: PropertyType | undefined): boolean => type?.name === 'integer' || type?.name === 'real';

/** The key of a target as the id that the store knows it by: a text, of the form that the target's key has. */
export function toId(input: unknown, property: Property): Checked {
  const key = property.targetKey;
  if (typeof input !== 'string' && typeof input !== 'number') return { fault: 'must be the key of an object' };
  if (input === '') return { fault: 'must not be empty' };
  if (key === undefined || key.textual) return checkText(String(input));
  const checked = key.toStored(input, property);
  if ('fault' in checked) return { fault: `is no key of the class it refers to: ${checked.fault}` };
  return { value: String(key.toJson(checked.value, property)) };
}

/** An id as JSON: a number where the target's key is one. */
export const idToJson = (id: Value, property: Property): unknown => (isNumeric(property.targetKey) ? Number(id) : id);

/** The key of another object. Stored as that object's id (text), answered in the type of the target's key. */
export const referenceType: PropertyType = {
  name: 'reference',
  code: 13,
  shape: 'scalar',
  sized: false,
  ordered: true,
  textual: false,
  toStored: toId,
  toJson: idToJson,
  toText: String,
};
