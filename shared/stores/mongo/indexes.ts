import { createHash } from 'node:crypto';
import { Schema, type Connection, type IndexDefinition, type IndexOptions, type Model } from 'mongoose';
import type { Collection, Index } from '../object-store.ts';
import type { StoredDocument } from './document.ts';
import { collectionName, fieldOf, pathOf } from './names.ts';

/** The model of a collection: what each object holds, and the indexes that the application wants. */
export function toModel(connection: Connection, { name, indexes }: Collection): Model<StoredDocument> {
  const schema = new Schema<StoredDocument>(
    { _id: String, r: Number, d: Schema.Types.Mixed, n: [String], e: Boolean, w: [String] },
    { versionKey: false, minimize: false },
  );
  const once = new Map(indexes.map((index) => [definitionOf(index), index]));
  for (const index of once.values()) schema.index(keysOf(index), optionsOf(index));
  const collection = collectionName(name);
  return connection.model<StoredDocument>(collection, schema, collection, { overwriteModels: true });
}

/** Others end with the id, for a stable order without sorting. */
function keysOf({ paths, unique }: Index): IndexDefinition {
  const fields = paths.map(fieldOf);
  return Object.fromEntries((unique ? fields : [...fields, '_id']).map((field) => [field, 1]));
}

/** What is null is missing: `$exists` says that there is a value. */
function optionsOf(index: Index): IndexOptions {
  const name = `${index.name}~${definitionOf(index)}`;
  if (!index.unique) return { name };
  const present = index.paths.filter((path) => path !== '_id').map((path) => [fieldOf(path), { $exists: true }]);
  return { name, unique: true, partialFilterExpression: Object.fromEntries(present) as Record<string, unknown> };
}

/** A few letters that say what an index is: one with the same name and another definition is another index. */
const definitionOf = ({ paths, unique }: Index): string =>
  createHash('sha256').update(JSON.stringify([unique ?? false, paths])).digest('hex').slice(0, 8); // prettier-ignore

export interface StoredIndex {
  /** The store's name for it. */
  readonly key: string;
  /** The application's name for it. */
  readonly name: string;
  readonly definition: string;
  readonly unique: boolean;
  readonly paths: readonly string[];
}

/** As the store tells it. Undefined for an index that is not ours: that of the ids, or an administrator's. */
export function toStoredIndex(told: {
  readonly name?: string;
  readonly key: object;
  readonly unique?: boolean;
}): StoredIndex | undefined {
  const [, name, definition] = /^(.*)~([0-9a-f]{8})$/s.exec(told.name ?? '') ?? [];
  if (name === undefined || definition === undefined) return undefined;
  const paths = Object.keys(told.key).map(pathOf);
  return { key: told.name!, name, definition, unique: told.unique ?? false, paths };
}
