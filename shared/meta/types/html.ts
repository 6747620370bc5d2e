import type { PropertyType } from '../property.ts';
import { checkText, sameJson, sameText } from './text-value.ts';

/** Formatted text: kept and answered as given; whoever shows it must sanitise it. */
export const htmlType: PropertyType = {
  name: 'html',
  code: 2,
  shape: 'scalar',
  sized: true,
  ordered: true,
  textual: true,
  toStored: checkText,
  toJson: sameJson,
  toText: sameText,
};
