import type { PropertyType } from '../property.ts';
import { checkText, sameJson, sameText } from './text-value.ts';

/** Free text; the form of an address is not checked. */
export const urlType: PropertyType = {
  name: 'url',
  code: 3,
  shape: 'scalar',
  sized: true,
  ordered: true,
  textual: true,
  toStored: checkText,
  toJson: sameJson,
  toText: sameText,
};
