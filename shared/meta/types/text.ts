import type { PropertyType } from '../property.ts';
import { checkText, sameJson, sameText } from './text-value.ts';

/** Text of several lines. */
export const textType: PropertyType = {
  name: 'text',
  code: 1,
  shape: 'scalar',
  sized: true,
  ordered: true,
  textual: true,
  toStored: checkText,
  toJson: sameJson,
  toText: sameText,
};
