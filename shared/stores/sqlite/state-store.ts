import type { StateStore } from '../state-store.ts';
import { createConnection } from './connection.ts';
import type { Database } from './open.ts';

export const stateSchema = `
  create table state (key text primary key, value text not null, expires real not null) strict, without rowid;
  create index state_expires on state (expires);
  create table sets (name text primary key, expires real not null) strict, without rowid;
  create index sets_expires on sets (expires);
  create table members (name text not null, member text not null, primary key (name, member)) strict, without rowid;`;

export interface SqliteStateStore extends StateStore {
  /** Takes out what has ended. Reads do not need it: they look at the clock. */
  sweep(): Promise<void>;
}

const sweepEvery = 10_000; // milliseconds
const sweepChunk = 500; // rows in one transaction

export function createSqliteStateStore(
  db: Database,
  clock: () => number,
  failed: (error: unknown) => void,
): SqliteStateStore {
  const connection = createConnection(db);
  const changed = (sql: string, ...values: (string | number)[]) => connection.write(() => db.run(sql, ...values) > 0);
  const dropSet = (name: string) => {
    db.run('delete from members where name = ?', name);
    db.run('delete from sets where name = ?', name);
  };
  const sweepOnce = () => {
    const now = clock();
    const values = db.run(
      'delete from state where key in (select key from state where expires <= ? limit ?)',
      now,
      sweepChunk,
    );
    const sets = db.all('select name from sets where expires <= ? limit ?', now, sweepChunk);
    for (const { name } of sets) dropSet(String(name));
    return values === sweepChunk || sets.length === sweepChunk;
  };
  const sweep = async () => {
    while (await connection.write(sweepOnce, sweepChunk));
  };
  const timer = setInterval(() => void sweep().catch(failed), sweepEvery).unref();

  return {
    sweep,
    get: (key) =>
      connection.read(() => text(db.first('select value from state where key = ? and expires > ?', key, clock()))),
    async put(key, value, ttl) {
      const sql =
        'insert into state values (?, ?, ?) on conflict do update set value = excluded.value, expires = excluded.expires';
      await changed(sql, key, value, clock() + ttl);
    },
    putIfAbsent: (key, value, ttl) => {
      const now = clock();
      const sql = `insert into state values (?1, ?2, ?3) on conflict do update
        set value = excluded.value, expires = excluded.expires where expires <= ?4`;
      return changed(sql, key, value, now + ttl, now);
    },
    putIfPresent: (key, value, ttl) => {
      const now = clock();
      return changed(
        'update state set value = ?2, expires = ?3 where key = ?1 and expires > ?4',
        key,
        value,
        now + ttl,
        now,
      );
    },
    take: (key) =>
      connection.write(() => {
        const row = db.first('delete from state where key = ? returning value, expires', key);
        return row && Number(row['expires']) > clock() ? text(row) : undefined;
      }),
    touch: (key, ttl) => {
      const now = clock();
      return changed('update state set expires = ?2 where key = ?1 and expires > ?3', key, now + ttl, now);
    },
    remove: (keys) =>
      connection.write(() => {
        for (const key of keys) {
          db.run('delete from state where key = ?', key);
          dropSet(key);
        }
      }, keys.length),
    increment: (key, by, ttl) =>
      connection.write(() => {
        const now = clock();
        const sql = `insert into state values (?1, ?2, ?3) on conflict do update set
          value = iif(expires <= ?4, excluded.value, cast(value as integer) + excluded.value),
          expires = iif(expires <= ?4, excluded.expires, expires) returning value, expires`;
        const row = db.first(sql, key, String(by), now + ttl, now)!;
        return { count: Number(row['value']), left: Number(row['expires']) - now };
      }),
    addMember: (set, member, ttl) =>
      connection.write(() => {
        const now = clock();
        if (!db.first('select 1 from sets where name = ? and expires > ?', set, now)) dropSet(set);
        db.run(
          'insert into sets values (?, ?) on conflict do update set expires = max(expires, excluded.expires)',
          set,
          now + ttl,
        );
        db.run('insert into members values (?, ?) on conflict do nothing', set, member);
      }),
    async removeMember(set, member) {
      await changed('delete from members where name = ? and member = ?', set, member);
    },
    members: (set) =>
      connection.read(() => {
        const sql = `select member from members where name = ?1
          and exists (select 1 from sets where name = ?1 and expires > ?2) order by member`;
        return db.all(sql, set, clock()).map((row) => String(row['member']));
      }),
    async ping() {
      await connection.read(() => db.first(`select 1 from state where key = ''`));
    },
    close() {
      clearInterval(timer);
      return connection.close();
    },
  };
}

const text = (row: { readonly [name: string]: unknown } | undefined): string | undefined => row && String(row['value']);
