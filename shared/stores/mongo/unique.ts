import type { Value, Written } from '../object-store.ts';
import type { Collections } from './collections.ts';
import type { StoredDocument } from './document.ts';
import { fieldOf } from './names.ts';

export type Clash = Extract<Written, { clash: string }>;

/** What a unique index compares; undefined where a value is missing, which it lets pass. */
export function uniqueValues(
  { _id, d }: Pick<StoredDocument, '_id' | 'd'>,
  paths: readonly string[],
): readonly Value[] | undefined {
  const names = paths.map((path) => fieldOf(path).slice('d.'.length));
  const values = names.map((name, index) => (paths[index] === '_id' ? _id : Object.hasOwn(d, name) ? d[name]! : null));
  return values.includes(null) ? undefined : values;
}

/**
 * Which rule the store kept when it refused an object: asked, for servers tell it in different ways or not at all. Undefined
 * when nobody stands in the way any more.
 */
export async function brokenRule(
  { objects, uniqueIndexes }: Pick<Collections, 'objects' | 'uniqueIndexes'>,
  collection: string,
  refused: Pick<StoredDocument, '_id' | 'd'>,
): Promise<Clash | undefined> {
  const id = refused._id;
  for (const { name, paths } of await uniqueIndexes(collection)) {
    const values = uniqueValues(refused, paths);
    if (!values) continue;
    const same = paths.map((path, index) => ({ [fieldOf(path)]: { $eq: values[index] } }));
    const other = { $and: [...same, { _id: { $ne: id } }] };
    if (await objects(collection).findOne(other, { projection: { _id: 1 } })) {
      return { id, clash: 'unique', index: name };
    }
  }
  return undefined;
}
