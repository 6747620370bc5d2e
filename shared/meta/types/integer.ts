import { readNumber } from './number-text.ts';
import type { PropertyType } from '../property.ts';

/** A whole number that JSON carries exactly: from -(2^53 - 1) to 2^53 - 1. Larger ones: decimal or string. */
export const integerType: PropertyType = {
  name: 'integer',
  code: 6,
  shape: 'scalar',
  sized: true,
  ordered: true,
  textual: false,
  toStored(input) {
    const number = readNumber(input);
    if (number === undefined || !Number.isInteger(number)) return { fault: 'must be a whole number' };
    if (!Number.isSafeInteger(number))
      return { fault: `must be between -${String(2 ** 53 - 1)} and ${String(2 ** 53 - 1)}` };
    return { value: number };
  },
  toJson: (stored) => stored,
  toText: String,
};
