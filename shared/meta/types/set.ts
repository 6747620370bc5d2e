import type { PropertyType } from '../property.ts';
import { checkList } from './list-value.ts';
import { checkText, sameText } from './text-value.ts';

/** A list of plain values, each once; mostly keys of a selection list. */
export const setType: PropertyType = {
  name: 'set',
  code: 15,
  shape: 'list',
  sized: false,
  ordered: false,
  textual: false,
  toStored: (input) =>
    checkList(input, (one) => {
      if (typeof one === 'boolean' || (typeof one === 'number' && Number.isFinite(one))) return { value: one };
      return typeof one === 'string' ? checkText(one) : { fault: 'must be text, a number, true or false' };
    }),
  toJson: (stored) => stored,
  toText: (stored) => (Array.isArray(stored) ? stored.join(', ') : sameText(stored)),
};
