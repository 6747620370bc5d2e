import type { Value } from '#stores/object-store.ts';
import type { Class, Property } from './class.ts';
import { fromSortable } from './types/decimal-text.ts';
import { sameText } from './types/text-value.ts';

/** What is wrong with a stored value's length or digits, or undefined. Keys, guids, references and dates have no limit. */
export function limitFault(property: Property, stored: Value, itsClass: Class): string | undefined {
  const { type, size, decimals } = property;
  if (stored === null || !type.sized || itsClass.key.includes(property.name)) return undefined;
  const text = sameText(stored);
  if (type.name === 'integer' || type.name === 'real' || type.name === 'decimal')
    return digitsFault(type.name === 'decimal' ? fromSortable(text) : text, size, decimals);
  const length = Array.from(text).length;
  return size !== undefined && length > size ? `has ${length} characters, at most ${size} fit` : undefined;
}

function digitsFault(text: string, size: number | undefined, decimals: number | undefined): string | undefined {
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? [];
  const places = Math.max(fraction.length - Number(power), 0);
  const before = Math.max(whole.replace(/^0+/, '').length + Number(power), 0);
  if (decimals !== undefined && places > decimals) return `has ${places} decimals, at most ${decimals} fit`;
  return size !== undefined && before + places > size
    ? `has ${before + places} digits, at most ${size} fit`
    : undefined;
}
