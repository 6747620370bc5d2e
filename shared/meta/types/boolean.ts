import type { PropertyType } from '../property.ts';

export const booleanType: PropertyType = {
  name: 'boolean',
  code: 10,
  shape: 'scalar',
  sized: false,
  ordered: false,
  textual: false,
  toStored(input) {
    if (typeof input === 'boolean') return { value: input };
    if (input === 'true' || input === 'false') return { value: input === 'true' };
    return { fault: 'must be true or false' };
  },
  toJson: (stored) => stored,
  toText: String,
};
