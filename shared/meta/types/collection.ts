import type { PropertyType } from '../property.ts';
import { idToJson, toId } from './reference.ts';
import { checkList } from './list-value.ts';

/** Ids of other objects, each once, in the order given. One with `backRef` is computed and never stored. */
export const collectionType: PropertyType = {
  name: 'collection',
  code: 14,
  shape: 'list',
  sized: false,
  ordered: false,
  textual: false,
  toStored: (input, property) => checkList(input, (one) => toId(one, property)),
  toJson: (stored, property) => (Array.isArray(stored) ? stored.map((id) => idToJson(id, property)) : null),
  toText: (stored) => (Array.isArray(stored) ? stored.join(', ') : ''),
};
