// The only file that imports node:sqlite: its class will be renamed.
import { open } from 'node:fs/promises';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import { AppError } from '#errors.ts';

/** Only scalars are bound: an object as first parameter would be taken for named ones, and undefined would become null. */
export type Bound = string | number | null;
export type Row = Readonly<Record<string, string | number | null>>;

/** One connection. All is synchronous; statements are prepared once. */
export interface Database {
  all(sql: string, ...values: readonly Bound[]): Row[];
  first(sql: string, ...values: readonly Bound[]): Row | undefined;
  /** Gives the number of changed rows. */
  run(sql: string, ...values: readonly Bound[]): number;
  /** Several statements, not kept. */
  script(sql: string): void;
  define(name: string, compute: (value: unknown) => string | null): void;
  readonly inTransaction: boolean;
  close(): void;
}

export interface DatabaseOptions {
  /**
   * With WAL, `full` syncs at each commit: what was acknowledged outlives a power cut. Group commit pays for it.
   * `normal` outlives the end of the process only.
   */
  readonly synchronous: 'full' | 'normal';
  /** Makes the tables of version 1. */
  readonly schema: string;
}

const version = 1;
const keptStatements = 300;
const keptLength = 4_000; // longer texts are rarely seen twice

/** Opens or makes a database file (mode 0600) and its tables; refuses one that a newer version has written. */
export async function openDatabase(path: string, { synchronous, schema }: DatabaseOptions): Promise<Database> {
  await (await open(path, 'a', 0o600)).close(); // the files beside it (-wal, -shm) take its mode
  const db = new DatabaseSync(path, { timeout: 5_000 });
  try {
    db.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}; pragma trusted_schema = off;
      pragma cache_size = -16000; pragma journal_size_limit = 67108864`);
    migrate(db, path, schema);
    // From here on a wait would hold the whole process: whoever finds the file locked waits outside of SQLite.
    db.exec('pragma busy_timeout = 0');
    return wrap(db);
  } catch (error) {
    db.close();
    throw resultCode(error) === 26 ? new AppError('unavailable', `${path} is not a database`, { cause: error }) : error;
  }
}

function migrate(db: DatabaseSync, path: string, schema: string): void {
  const stored = (): unknown => {
    const known = db.prepare(`select 1 from sqlite_schema where name = 'meta'`).get();
    return known && db.prepare(`select value from meta where name = 'version'`).get()?.['value'];
  };
  const found = stored();
  if (found === version) return;
  db.exec('begin immediate');
  try {
    const current = Number(stored() ?? 0); // another process may have been faster
    if (current > version) {
      const publicText = `${path} was written by a newer Portico (schema ${current}, here ${version}): start that one`;
      throw new AppError('unavailable', publicText, { publicText });
    }
    if (current === 0) {
      db.exec('create table meta (name text primary key, value integer not null) strict');
      db.exec(schema);
      db.prepare(`insert into meta values ('version', ?)`).run(version);
    }
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

function wrap(db: DatabaseSync): Database {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const kept = statements.get(sql);
    if (kept) {
      statements.delete(sql); // to the end: the first is the one used longest ago
      statements.set(sql, kept);
      return kept;
    }
    const made = db.prepare(sql);
    if (sql.length > keptLength) return made;
    if (statements.size >= keptStatements) statements.delete(statements.keys().next().value!);
    statements.set(sql, made);
    return made;
  };
  return {
    all: (sql, ...values) => prepare(sql).all(...values) as Row[],
    first: (sql, ...values) => prepare(sql).get(...values) as Row | undefined,
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    script: (sql) => db.exec(sql),
    // as numbers, integers past 2^53 would throw
    define: (name, compute) => db.function(name, { deterministic: true, useBigIntArguments: true }, compute),
    get inTransaction() {
      return db.isTransaction;
    },
    close: () => db.close(),
  };
}

type Rows = ReadonlyMap<string, number>;

const countRows = (db: DatabaseSync): Rows => {
  const tables = db.prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`).all();
  const count = (name: string) => Number(db.prepare(`select count(*) as rows from "${name}"`).get()!['rows']);
  return new Map(tables.map(({ name }) => [String(name), count(String(name))]));
};

/** Copies databases as they are at one moment, whoever writes meanwhile. Gives the rows of their tables at that moment. */
export async function copyDatabases(
  pairs: readonly { readonly from: string; readonly to: string }[],
): Promise<readonly Rows[]> {
  const sources = pairs.map(({ from }) => new DatabaseSync(from, { timeout: 5_000 }));
  try {
    // without a transaction to read from, each write of another process would let the copy begin anew
    for (const db of sources) db.exec('begin');
    for (const db of sources) db.prepare('select count(*) from sqlite_schema').get();
    for (const [place, { to }] of pairs.entries()) {
      await (await open(to, 'wx', 0o600)).close();
      await backup(sources[place]!, to, { rate: 500 });
    }
    return sources.map(countRows);
  } finally {
    for (const db of sources) db.close();
  }
}

/** What SQLite says of a copy: `ok` or the first fault, and the rows of its tables. */
export async function readCopy(path: string): Promise<{ readonly integrity: string; readonly rows: Rows }> {
  const db = new DatabaseSync(path);
  try {
    const integrity = String(db.prepare('pragma integrity_check(1)').get()!['integrity_check']);
    return { integrity, rows: countRows(db) };
  } finally {
    db.close();
  }
}

/** SQLite's primary result code, undefined for other errors (https://sqlite.org/rescode.html). */
const resultCode = (error: unknown): number | undefined => {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
};
const extendedCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;

/** Another connection holds the lock: worth another try. */
export const isBusy = (error: unknown): boolean => [5, 6].includes(resultCode(error) ?? 0);

/** A `check` of the table refused the row. */
export const isCheck = (error: unknown): boolean => extendedCode(error) === 275;

/** The SQL name of the unique index that refused; undefined for other errors. */
export const refusingIndex = (error: unknown): string | undefined =>
  extendedCode(error) === 2067 ? /index '(.*)'/.exec((error as Error).message)?.[1] : undefined;

/** Disk full, file gone or damaged, still locked: the caller may try again later. Other errors are our own faults. */
export const asStoreError = (error: unknown): unknown =>
  [5, 6, 8, 10, 11, 13, 14, 26].includes(resultCode(error) ?? 0)
    ? new AppError('unavailable', `SQLite: ${(error as Error).message}`, { cause: error })
    : error;
