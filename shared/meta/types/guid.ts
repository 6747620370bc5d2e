import { v7 } from 'uuid';
import type { PropertyType } from '../property.ts';
import { checkText, sameJson, sameText } from './text-value.ts';

/** Any text but the empty one; its form is not checked. Assigned: a UUID (RFC 9562, version 7). */
export const guidType: PropertyType = {
  name: 'guid',
  code: 12,
  shape: 'scalar',
  sized: false,
  ordered: true,
  textual: true,
  toStored: (input) => (input === '' ? { fault: 'must not be empty' } : checkText(input)),
  toJson: sameJson,
  toText: sameText,
  assign: () => v7(),
};
