import { AppError } from '#errors.ts';
import type { Collection, Index } from '../object-store.ts';
import { column } from './column.ts';
import { refusingIndex, type Database } from './open.ts';

/** Names of collections and indexes come from the application: SQL sees only numbers. */
export const collectionsSchema = `
  create table collections (number integer primary key, name text not null unique) strict;
  create table indexes (number integer primary key, collection integer not null, name text not null,
    definition text not null, unique (collection, name)) strict;`;

export interface Collections {
  /** Name of the table; undefined for a collection that nobody has prepared or written to. */
  readonly find: (collection: string) => string | undefined;
  /** Makes the table where there is none. Within a transaction, as all below. */
  ensure(collection: string): string;
  /** Afterwards the collection has these indexes and no other. */
  prepare(collection: Collection): void;
  isPrepared(collection: Collection): boolean;
  /** What the application calls the unique index that refused a write; undefined for other errors. */
  refusing(error: unknown): string | undefined;
  /** Work was undone: tables thought to be there may be gone. */
  forget(): void;
}

export function createCollections(db: Database): Collections {
  const tables = new Map<string, string>();

  function find(name: string): string | undefined {
    const known = tables.get(name);
    if (known !== undefined) return known;
    const row = db.first('select number from collections where name = ?', name);
    if (!row) return undefined;
    const table = `objects_${row['number']}`;
    tables.set(name, table);
    return table;
  }

  function ensure(name: string): string {
    const known = find(name);
    if (known !== undefined) return known;
    db.run('insert into collections (name) values (?)', name);
    const table = `objects_${db.first('select last_insert_rowid() as number')!['number']}`;
    // SQLite's reader of JSON knows 1,000 levels: one deeper document would make every later query fail
    db.script(`create table ${table} (id text not null primary key, revision integer not null,
      doc text not null check (json_valid(doc))) strict`);
    return table;
  }

  const stored = (collection: string): ReadonlyMap<string, { number: number; definition: string }> => {
    const rows = db.all(
      `select number, name, definition from indexes
        where collection = (select number from collections where name = ?)`,
      collection,
    );
    const entries = rows.map(({ number, name, definition }): [string, { number: number; definition: string }] => [
      String(name),
      { number: Number(number), definition: String(definition) },
    ]);
    return new Map(entries);
  };

  function prepare({ name, indexes }: Collection): void {
    const table = ensure(name);
    const present = stored(name);
    const wanted = new Map(indexes.map((index) => [index.name, definitionOf(index)]));
    for (const [index, { number, definition }] of present) {
      if (wanted.get(index) === definition) continue;
      db.script(`drop index index_${number}`);
      db.run('delete from indexes where number = ?', number);
    }
    for (const index of indexes) {
      if (present.get(index.name)?.definition !== wanted.get(index.name)) create(name, table, index);
    }
  }

  function create(collection: string, table: string, index: Index): void {
    db.run(
      'insert into indexes (collection, name, definition) select number, ?, ? from collections where name = ?',
      index.name,
      definitionOf(index),
      collection,
    );
    const number = db.first('select last_insert_rowid() as number')!['number'];
    try {
      db.script(`create ${index.unique ? 'unique ' : ''}index index_${number} on ${table} (${definitionOf(index)})`);
    } catch (error) {
      if (refusingIndex(error) === undefined) throw error;
      const detail = `the unique index ${index.name} of ${collection} cannot be made: stored objects share a value`;
      throw new AppError('conflict', detail, { cause: error });
    }
  }

  return {
    find,
    ensure,
    prepare,
    isPrepared({ name, indexes }) {
      const present = stored(name);
      if (find(name) === undefined || present.size !== indexes.length) return false;
      return indexes.every((index) => present.get(index.name)?.definition === definitionOf(index));
    },
    refusing(error) {
      const number = refusingIndex(error)?.split('_')[1];
      const row =
        number === undefined ? undefined : db.first('select name from indexes where number = ?', Number(number));
      return row && String(row['name']);
    },
    forget: () => tables.clear(),
  };
}

/** A unique index takes nulls for different, as it should. Others end with the id, for a stable order without sorting. */
const definitionOf = ({ paths, unique }: Index): string => {
  const columns = paths.map(column);
  return (unique || paths.includes('_id') ? columns : [...columns, 'id']).join(', ');
};
