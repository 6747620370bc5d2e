import type { Doc, Value } from '#stores/object-store.ts';
import type { Class, Property } from './class.ts';

/** What joins the parts of a key of several attributes. */
export const keySeparator = '_';

/** A key attribute's value as part of an id: dates in ISO form, numbers without zeros before or behind. */
export const keyText = (property: Property, stored: Value): string => String(property.type.toJson(stored, property));

/** The id that the key attributes make; undefined while one of them has no value, or the class has no key. */
export function idOf(itsClass: Class, doc: Doc): string | undefined {
  const parts = itsClass.key.map((name) => {
    const property = itsClass.properties.get(name);
    const value = doc[name];
    return property === undefined || value === undefined || value === null ? '' : keyText(property, value);
  });
  return parts.length === 0 || parts.includes('') ? undefined : parts.join(keySeparator);
}

/**
 * The key attributes that an id stands for, in stored form. A fault when the id does not have their types, or can be
 * divided among several attributes in more than one way.
 */
export function keyValues(itsClass: Class, id: string): { readonly values: Doc } | { readonly fault: string } {
  const properties = itsClass.key.flatMap((name) => itsClass.properties.get(name) ?? []);
  if (properties.length === 0) return { values: {} };
  const ways = divisions(id.split(keySeparator), properties.length).flatMap((parts) => {
    const values = parts.map((part, index) => properties[index]!.type.toStored(part, properties[index]!));
    const sound = values.every(
      (value, index) => 'value' in value && keyText(properties[index]!, value.value) === parts[index],
    );
    return sound ? [values.map((value) => ('value' in value ? value.value : null))] : [];
  });
  const [only, another] = ways;
  if (only === undefined)
    return { fault: `"${id}" is no key of ${itsClass.code} (${itsClass.key.join(keySeparator)})` };
  if (another) return { fault: `"${id}" may mean several keys: give ${itsClass.key.join(', ')} as well` };
  return { values: Object.fromEntries(properties.map(({ name }, index) => [name, only[index]!])) };
}

/** Every way to make `count` parts of the pieces, in order; at most 1,000. */
function divisions(pieces: readonly string[], count: number): readonly (readonly string[])[] {
  if (count === 1) return [[pieces.join(keySeparator)]];
  const ways: (readonly string[])[] = [];
  for (let length = 1; length <= pieces.length - count + 1 && ways.length < 1000; length += 1) {
    const first = pieces.slice(0, length).join(keySeparator);
    ways.push(...divisions(pieces.slice(length), count - 1).map((rest) => [first, ...rest]));
  }
  return ways;
}
