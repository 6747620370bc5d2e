import type { PropertyType } from '../property.ts';
import { checkText } from './text-value.ts';

/**
 * `toStored` gives the text in the clear: who stores it must hash it first (type name `password`).
 * Never part of an answer: `toJson` is null, `toText` empty.
 */
export const passwordType: PropertyType = {
  name: 'password',
  code: 11,
  shape: 'scalar',
  sized: true,
  ordered: false,
  textual: false,
  toStored: (input) => (input === '' ? { fault: 'must not be empty' } : checkText(input)),
  toJson: () => null,
  toText: () => '',
};
