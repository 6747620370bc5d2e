import type { mongo } from 'mongoose';
import type { Collections } from './collections.ts';
import type { StoredDocument } from './document.ts';
import { fieldOf } from './names.ts';
import { uniqueValues } from './unique.ts';

/** A unique index, and who holds its values while a batch goes on. */
export interface Rule {
  readonly index: string;
  /** Whether another object holds what this one wants. */
  isBrokenBy(document: StoredDocument): boolean;
  /** The object lets go of what it was and holds what it is. */
  follow(before: StoredDocument | undefined, after: StoredDocument | undefined): void;
}

const chunk = 1_000; // values in one query

/** The unique indexes of a collection, with the holders of all that these documents want. */
export async function readRules(
  { objects, recentUniqueIndexes }: Pick<Collections, 'objects' | 'recentUniqueIndexes'>,
  collection: string,
  wanted: readonly StoredDocument[],
  options: mongo.FindOptions,
): Promise<readonly Rule[]> {
  if (wanted.length === 0) return [];
  const rules: Rule[] = [];
  for (const { name, paths } of await recentUniqueIndexes(collection)) {
    const keyOf = (document: StoredDocument): string | undefined => {
      const values = uniqueValues(document, paths);
      return values && JSON.stringify(values);
    };
    const holders = new Map<string, string>();
    const fields = paths.map(fieldOf);
    const projection = Object.fromEntries(fields.map((field) => [field, 1]));
    const all = wanted.flatMap((document) =>
      [uniqueValues(document, paths) ?? []].filter((values) => values.length > 0),
    );
    for (let from = 0; from < all.length; from += chunk) {
      const held = anyOf(fields, all.slice(from, from + chunk));
      for (const { _id, d } of await objects(collection)
        .find(held, { ...options, projection, batchSize: chunk })
        .toArray()) {
        const key = keyOf({ _id, d } as StoredDocument);
        if (key !== undefined) holders.set(key, _id);
      }
    }
    rules.push({
      index: name,
      isBrokenBy(document) {
        const key = keyOf(document);
        const holder = key === undefined ? undefined : holders.get(key);
        return holder !== undefined && holder !== document._id;
      },
      follow(before, after) {
        const old = before && keyOf(before);
        if (old !== undefined && holders.get(old) === before!._id) holders.delete(old);
        const key = after && keyOf(after);
        if (key !== undefined) holders.set(key, after!._id);
      },
    });
  }
  return rules;
}

function anyOf(fields: readonly string[], tuples: readonly (readonly unknown[])[]): mongo.Filter<StoredDocument> {
  if (fields.length === 1) return { [fields[0]!]: { $in: tuples.map(([value]) => value) } };
  return {
    $or: tuples.map((values) => ({ $and: fields.map((field, index) => ({ [field]: { $eq: values[index] } })) })),
  };
}
