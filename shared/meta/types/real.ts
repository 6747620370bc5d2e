import { readNumber } from './number-text.ts';
import type { PropertyType } from '../property.ts';

/** A floating point number (IEEE 754, 64 bits). */
export const realType: PropertyType = {
  name: 'real',
  code: 7,
  shape: 'scalar',
  sized: true,
  ordered: true,
  textual: false,
  toStored(input) {
    const number = readNumber(input);
    return number === undefined ? { fault: 'must be a number' } : { value: number };
  },
  toJson: (stored) => stored,
  toText: String,
};
