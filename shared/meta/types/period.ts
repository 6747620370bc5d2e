import type { Value } from '#stores/object-store.ts';
import { datetimeType } from './datetime.ts';
import type { Checked, PropertyType } from '../property.ts';

const fault: Checked = { fault: 'must be a list of two dates, [from, to]; one of them may be null' };

/** `[from, to]`, two dates in order; null leaves an end open. */
export const periodType: PropertyType = {
  name: 'period',
  code: 60,
  shape: 'object',
  sized: false,
  ordered: false,
  textual: false,
  toStored(input, property) {
    if (!Array.isArray(input) || input.length !== 2) return fault;
    const ends: Value[] = [];
    for (const one of input as readonly unknown[]) {
      const checked = one === null ? { value: null } : datetimeType.toStored(one, property);
      if ('fault' in checked) return fault;
      ends.push(checked.value);
    }
    const [from, to] = ends;
    if (typeof from === 'string' && typeof to === 'string' && from > to)
      return { fault: 'must not end before it starts' };
    return { value: ends };
  },
  toJson: (stored) => stored,
  toText: (stored, property) =>
    Array.isArray(stored)
      ? (stored as readonly Value[]).map((end) => (end === null ? '' : datetimeType.toText(end, property))).join(' – ')
      : '',
};
