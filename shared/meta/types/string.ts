import { v7 } from 'uuid';
import type { PropertyType } from '../property.ts';
import { checkText, sameJson, sameText } from './text-value.ts';

/** One line of text. Assigned: a UUID (RFC 9562, version 7). */
export const stringType: PropertyType = {
  name: 'string',
  code: 0,
  shape: 'scalar',
  sized: true,
  ordered: true,
  textual: true,
  toStored: checkText,
  toJson: sameJson,
  toText: sameText,
  assign: () => v7(),
};
