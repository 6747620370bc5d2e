import { fromSortable, mostDigits, toSortable } from './decimal-text.ts';
import { isNumberText } from './number-text.ts';
import type { PropertyType } from '../property.ts';
import { sameText } from './text-value.ts';

/**
 * An exact decimal number. Stored as text of sortable form (decimal-text.ts); in JSON a number where reading it back
 * gives the same decimal, else its text.
 */
export const decimalType: PropertyType = {
  name: 'decimal',
  code: 8,
  shape: 'scalar',
  sized: true,
  ordered: true,
  textual: false,
  toStored(input) {
    const text = typeof input === 'number' ? String(input) : input;
    if (typeof text !== 'string' || !isNumberText(text)) return { fault: 'must be a number' };
    const value = toSortable(text);
    return value === undefined ? { fault: `must have at most ${mostDigits} digits` } : { value };
  },
  toJson(stored) {
    const number = Number(fromSortable(sameText(stored)));
    return toSortable(String(number)) === stored ? number : fromSortable(sameText(stored));
  },
  toText: (stored) => fromSortable(sameText(stored)),
};
