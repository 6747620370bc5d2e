import type { Connection, Model, mongo } from 'mongoose';
import type { Collection } from '../object-store.ts';
import { applyChanges, patiently, toChange, type Change } from './change-indexes.ts';
import type { StoredDocument } from './document.ts';
import { isMissing } from './failure.ts';
import { toModel, toStoredIndex, type StoredIndex } from './indexes.ts';
import { collectionName } from './names.ts';

/** The objects of a collection, by the application's name for it. */
export type Objects = (collection: string) => mongo.Collection<StoredDocument>;

export interface Collections {
  readonly objects: Objects;
  /** Makes what is missing, one after the other: a transaction, and some servers at all, cannot. */
  ensure(names: Iterable<string>): Promise<void>;
  prepare(collections: readonly Collection[]): Promise<void>;
  /** As the store has them now, whoever made them. */
  readonly uniqueIndexes: (name: string) => Promise<readonly StoredIndex[]>;
  /** As they were some seconds ago: enough to look ahead, for the store keeps the rule anyway. */
  readonly recentUniqueIndexes: (name: string) => Promise<readonly StoredIndex[]>;
}

const recentFor = 5_000; // milliseconds

export function createCollections(connection: Connection): Collections {
  const known = new Set<string>();
  const objects: Objects = (name) => connection.db!.collection<StoredDocument>(collectionName(name));

  async function stored(name: string): Promise<readonly StoredIndex[]> {
    try {
      return (await objects(name).listIndexes().toArray()).flatMap((told) => toStoredIndex(told) ?? []);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async function make(collection: Collection): Promise<Model<StoredDocument>> {
    const model = toModel(connection, collection);
    if (!known.has(collection.name)) await patiently(() => model.createCollection());
    known.add(collection.name);
    return model;
  }

  const recent = new Map<string, { readonly indexes: readonly StoredIndex[]; readonly until: number }>();
  const uniqueIndexes = async (name: string) => (await stored(name)).filter(({ unique }) => unique);

  return {
    objects,
    async ensure(names) {
      for (const name of new Set(names)) {
        if (!known.has(name)) await make({ name, indexes: [] });
      }
    },
    uniqueIndexes,
    async recentUniqueIndexes(name) {
      const kept = recent.get(name);
      if (kept && kept.until > performance.now()) return kept.indexes;
      const indexes = await uniqueIndexes(name);
      recent.set(name, { indexes, until: performance.now() + recentFor });
      return indexes;
    },
    async prepare(collections) {
      const changes: Change[] = [];
      for (const collection of collections) {
        const model = await make(collection);
        changes.push(toChange(collection.name, model, await stored(collection.name)));
      }
      recent.clear();
      await applyChanges(changes);
      recent.clear();
    },
  };
}
