import { setTimeout as sleep } from 'node:timers/promises';
import type { Model, mongo } from 'mongoose';
import { AppError } from '#errors.ts';
import type { StoredDocument } from './document.ts';
import { toFailure } from './failure.ts';
import { toStoredIndex, type StoredIndex } from './indexes.ts';

type Wanted = ReturnType<Model<StoredDocument>['schema']['indexes']>[number];

/** What it takes to give a collection the indexes of its model, and no other. */
export interface Change {
  readonly collection: string;
  readonly model: Model<StoredDocument>;
  readonly create: readonly Wanted[];
  readonly rename: readonly { readonly from: string; readonly to: Wanted }[];
  readonly drop: readonly StoredIndex[];
}

export function toChange(collection: string, model: Model<StoredDocument>, present: readonly StoredIndex[]): Change {
  const wanted = model.schema.indexes();
  const same = (one: Wanted) => present.find((index) => index.definition === read(one).definition);
  return {
    collection,
    model,
    create: wanted.filter((one) => !same(one)),
    rename: wanted.flatMap((to) => {
      const from = same(to)?.key;
      return from === undefined || from === to[1].name ? [] : [{ from, to }];
    }),
    drop: present.filter((index) => wanted.every((one) => read(one).definition !== index.definition)),
  };
}

const read = ([keys, { name }]: Wanted): StoredIndex => toStoredIndex({ key: keys, name: name! })!;

/** New indexes first, all of them or none; then those go that are no longer wanted. */
export async function applyChanges(changes: readonly Change[]): Promise<void> {
  const made: (() => Promise<void>)[] = [];
  try {
    for (const change of changes) {
      for (const wanted of change.create) {
        await createIndex(change, wanted);
        made.push(() => dropIndex(change, wanted[1].name!));
      }
    }
  } catch (error) {
    for (const undo of made) await undo();
    throw error;
  }
  for (const change of changes) {
    for (const { key } of change.drop) await dropIndex(change, key);
    for (const { from, to } of change.rename) {
      await dropIndex(change, from); // the server takes no second index with the same keys
      await createIndex(change, to);
    }
  }
}

const createIndex = ({ collection, model }: Change, [keys, options]: Wanted): Promise<void> =>
  patiently(async () => {
    try {
      await model.collection.createIndex(keys as Record<string, 1>, options as mongo.CreateIndexesOptions);
    } catch (error) {
      if (!(await holdsDuplicates(model, [keys, options]))) throw error;
      const { name } = read([keys, options]);
      const detail = `the unique index ${name} of ${collection} cannot be made: stored objects share a value`;
      throw new AppError('conflict', detail, { cause: error });
    }
  });

const dropIndex = ({ model }: Pick<Change, 'model'>, name: string): Promise<void> =>
  patiently(async () => {
    const present = await model.collection.indexes();
    if (present.some((index) => index.name === name)) await model.collection.dropIndex(name); // or another process was faster
  });

/** Servers tell it by different codes, or by none. */
async function holdsDuplicates(model: Model<StoredDocument>, [keys, { unique }]: Wanted): Promise<boolean> {
  if (!unique) return false;
  const fields = Object.keys(keys);
  const shared = [
    { $match: Object.fromEntries(fields.map((field) => [field, { $exists: true }])) },
    { $group: { _id: Object.fromEntries(fields.map((field, n) => [`k${n}`, `$${field}`])), howMany: { $sum: 1 } } },
    { $match: { howMany: { $gt: 1 } } },
    { $limit: 1 },
  ];
  return (await model.collection.aggregate(shared, { allowDiskUse: true }).toArray()).length > 0;
}

const tries = 6;

/** Two processes that make the same at once can stand in each other's way. */
export async function patiently<T>(make: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await make();
    } catch (error) {
      if (toFailure(error) instanceof AppError || attempt === tries) throw error;
      await sleep(attempt * (20 + Math.random() * 30));
    }
  }
}
