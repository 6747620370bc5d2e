import { AppError } from '#errors.ts';
import type { Sort } from '#query/filter.ts';
import type { Doc, Find, ObjectStore, Stored, Write, Written } from '../object-store.ts';
import { createCollections, collectionsSchema, type Collections } from './collections.ts';
import { column, fold } from './column.ts';
import { createConnection } from './connection.ts';
import { filterToSql } from './filter-to-sql.ts';
import { isCheck, type Bound, type Database, type Row } from './open.ts';

export const objectsSchema = `${collectionsSchema}
  create table counters (name text primary key, value integer not null) strict, without rowid;`;

const chunk = 500; // writes in one transaction, unless they belong together
const statisticsEvery = 1_000; // writes

export function createSqliteObjectStore(db: Database): ObjectStore {
  db.define('fold', fold);
  const collections = createCollections(db);
  const connection = createConnection(db, { lost: () => collections.forget() });
  let written = 0;

  /**
   * Without figures SQLite takes every index for a good one, such as that of an attribute with two values, and sorts half
   * the collection for a page. Computed anew when a table has grown tenfold; a few milliseconds, 50 µs when not.
   */
  const refreshStatistics = () => db.script('pragma analysis_limit = 5000; pragma optimize = 0x10002');

  const applyAll = (writes: readonly Write[]) => {
    const answers = writes.map((one) => apply(db, collections, one));
    written += writes.length;
    if (written >= statisticsEvery) {
      written = 0;
      refreshStatistics();
    }
    return answers;
  };

  return {
    async prepare(wanted) {
      const missing = () => wanted.some((one) => !collections.isPrepared(one));
      if (!(await connection.read(missing))) return; // no lock for what is there
      await connection.write(() => {
        for (const one of wanted) collections.prepare(one);
      });
      await connection.write(refreshStatistics);
    },
    get: (collection, ids) =>
      connection.read(() => {
        const table = collections.find(collection);
        if (table === undefined || ids.length === 0) return ids.map(() => undefined);
        if (ids.length === 1) {
          const row = db.first(`select id, revision, doc from ${table} where id = ?`, ids[0]!);
          return [row && toStored(row)];
        }
        const listed = `select id, revision, doc from ${table} where id in (select value from json_each(?))`;
        const found = new Map(db.all(listed, JSON.stringify(ids)).map((row) => [row['id'], toStored(row)]));
        return ids.map((id) => found.get(id));
      }),
    find: (collection, find) =>
      connection.read(() => {
        const table = collections.find(collection);
        if (table === undefined) return [];
        const { text, values } = findToSql(table, find, collections);
        return db.all(text, ...values).map(toStored);
      }),
    count: (collection, filter) =>
      connection.read(() => {
        const table = collections.find(collection);
        if (table === undefined) return 0;
        const { text, values } = filterToSql(filter, collections.find);
        return Number(db.first(`select count(*) as howMany from ${table} where ${text}`, ...values)!['howMany']);
      }),
    async write(writes, how) {
      if (how.atomic) {
        return connection.write((undo) => {
          const answers = applyAll(writes);
          if (answers.some((answer) => 'clash' in answer)) undo();
          return answers;
        }, writes.length);
      }
      const answers: Written[] = [];
      for (let from = 0; from < writes.length; from += chunk) {
        const part = writes.slice(from, from + chunk);
        answers.push(...(await connection.write(() => applyAll(part), part.length)));
      }
      return answers;
    },
    async reserve(counter, howMany) {
      if (!Number.isSafeInteger(howMany) || howMany < 1) throw new RangeError(`cannot reserve ${howMany} numbers`);
      const sql = `insert into counters values (?, ?)
        on conflict do update set value = value + excluded.value returning value`;
      return connection.write(() => Number(db.first(sql, counter, howMany)!['value']) - howMany + 1);
    },
    async raise(counter, floor) {
      const sql = 'insert into counters values (?, ?) on conflict do update set value = max(value, excluded.value)';
      await connection.write(() => db.run(sql, counter, Math.trunc(floor)));
    },
    counters: () =>
      connection.read(() => {
        const rows = db.all('select name, value from counters order by name');
        return new Map(rows.map(({ name, value }) => [String(name), Number(value)]));
      }),
    async ping() {
      await connection.read(() => db.first('select count(*) from counters'));
    },
    close: () => connection.close(),
  };
}

const toStored = (row: Row): Stored => ({
  id: String(row['id']),
  revision: Number(row['revision']),
  doc: JSON.parse(String(row['doc'])) as Doc,
});

function findToSql(table: string, { filter, sort = [], offset = 0, count, after }: Find, collections: Collections) {
  const where = filterToSql(filter, collections.find);
  const values: Bound[] = [...where.values, ...(after === undefined ? [] : [after]), whole(count), whole(offset)];
  const text = `select id, revision, doc from ${table} where ${where.text}${after === undefined ? '' : ' and id > ?'}
    order by ${order(sort)} limit ? offset ?`;
  return { text, values };
}

const whole = (value: number): number => Math.max(0, Math.trunc(value)); // a limit below zero is none in SQLite

function order(sort: Sort): string {
  const last = sort.at(-1)?.descending ? ' desc' : ''; // so that an index serves in both directions
  return [...sort.map(({ path, descending }) => `${column(path)}${descending ? ' desc' : ''}`), `id${last}`].join(', ');
}

/** Clashes are answers. */
function apply(db: Database, collections: Collections, write: Write): Written {
  const { op, id, collection } = write;
  const table = op === 'insert' || op === 'upsert' ? collections.ensure(collection) : collections.find(collection);
  if (table === undefined) return { id, clash: 'missing' };
  try {
    const row = statement(db, table, write);
    if (row) return { id, revision: Number(row['revision']) };
  } catch (error) {
    if (isCheck(error)) throw new AppError('bad_request', 'a document is nested too deeply', { cause: error });
    const index = collections.refusing(error);
    if (index === undefined) throw error;
    return { id, clash: 'unique', index };
  }
  if (op === 'insert') return { id, clash: 'exists' };
  return { id, clash: db.first(`select 1 from ${table} where id = ?`, id) ? 'stale' : 'missing' };
}

function statement(db: Database, table: string, write: Write): Row | undefined {
  const { id } = write;
  if (write.op === 'insert') {
    const sql = `insert into ${table} values (?, ?, ?) on conflict (id) do nothing returning revision`;
    return db.first(sql, id, write.revision ?? 1, JSON.stringify(write.doc));
  }
  const expect = write.expect ?? null;
  if (write.op === 'delete') {
    return db.first(
      `delete from ${table} where id = ?1 and (?2 is null or revision = ?2) returning revision`,
      id,
      expect,
    );
  }
  const doc = JSON.stringify(write.doc);
  if (write.op === 'upsert' && expect === null) {
    const sql = `insert into ${table} values (?, 1, ?)
      on conflict (id) do update set doc = excluded.doc, revision = revision + 1 returning revision`;
    return db.first(sql, id, doc);
  }
  const sql = `update ${table} set doc = ?2, revision = revision + 1
    where id = ?1 and (?3 is null or revision = ?3) returning revision`;
  return db.first(sql, id, doc, expect);
}
