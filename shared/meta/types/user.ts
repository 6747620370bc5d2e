import type { PropertyType } from '../property.ts';
import { checkText, sameJson, sameText } from './text-value.ts';

/** An identity, `<user>@<type>`; free text. */
export const userType: PropertyType = {
  name: 'user',
  code: 18,
  shape: 'scalar',
  sized: true,
  ordered: true,
  textual: true,
  toStored: checkText,
  toJson: sameJson,
  toText: sameText,
};
