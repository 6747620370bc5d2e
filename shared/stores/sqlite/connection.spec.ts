import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#errors.ts';
import { createConnection, type Connection } from './connection.ts';
import { openDatabase, type Database } from './open.ts';

const schema = 'create table numbers (n integer primary key) strict;';

describe('a connection to a SQLite file', () => {
  let folder: string;
  let db: Database;
  let other: Database;
  let connection: Connection;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-sqlite-'));
    db = await openDatabase(join(folder, 'x.db'), { synchronous: 'full', schema });
    other = await openDatabase(join(folder, 'x.db'), { synchronous: 'full', schema });
    connection = createConnection(db, { patience: 60 });
  });
  afterEach(async () => {
    await connection.close();
    other.close();
    await rm(folder, { recursive: true });
  });
  const insert = (n: number) => connection.write(() => db.run('insert into numbers values (?)', n));
  const stored = () => other.all('select n from numbers').map((row) => row['n']);
  const codeOf = (error: unknown): unknown => (error instanceof AppError ? error.code : error);

  it('waits for the lock of another connection without holding the process', async () => {
    other.script('begin immediate; insert into numbers values (1)');
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const writes = [insert(2), insert(3)];
    setTimeout(() => other.script('commit'), 25);
    await Promise.all(writes);
    clearInterval(timer);
    expect(stored()).to.deep.equal([1, 2, 3]);
    expect(turns).to.be.greaterThan(3);
  });

  it('gives up after its patience with `unavailable`, stores nothing then, and works again afterwards', async () => {
    other.script('begin immediate');
    const outcomes = await Promise.all([insert(1).catch(codeOf), insert(2).catch(codeOf)]);
    other.script('rollback');
    expect(outcomes).to.deep.equal(['unavailable', 'unavailable']);
    await insert(3);
    expect(stored()).to.deep.equal([3]);
  });

  it('undoes a job that throws or says so, and leaves the others of its group alone', async () => {
    const failing = connection.write(() => {
      db.run('insert into numbers values (10)');
      throw new Error('no');
    });
    const undone = connection.write((undo) => {
      db.run('insert into numbers values (20)');
      undo();
      return 'undone';
    });
    const outcomes = await Promise.all([insert(1), failing.catch((error: Error) => error.message), undone, insert(2)]);
    expect(outcomes).to.deep.equal([1, 'no', 'undone', 1]);
    expect(stored()).to.deep.equal([1, 2]);
  });

  it('undoes a job that is alone in its group', async () => {
    const undone = connection.write((undo) => {
      db.run('insert into numbers values (20)');
      undo();
    });
    await undone;
    const failing = connection.write(() => {
      db.run('insert into numbers values (10)');
      throw new Error('no');
    });
    expect(await failing.catch((error: Error) => error.message)).to.equal('no');
    expect(stored()).to.deep.equal([]);
  });

  it('acknowledges nothing that a full disk has undone, and works again once there is room', async () => {
    db.script('pragma max_page_count = 12; create table texts (text text) strict');
    const text = (length: number) => connection.write(() => db.run('insert into texts values (?)', 'x'.repeat(length)));
    const outcomes = await Promise.all([insert(1), text(10), text(100_000), insert(2)].map((one) => one.catch(codeOf)));
    const kept = stored().length + other.all('select * from texts').length;
    expect(outcomes[2]).to.equal('unavailable');
    expect(outcomes.filter((one) => one === 1)).to.have.length(kept);
    db.script('pragma max_page_count = 1000');
    await Promise.all([insert(7), text(100_000)]);
    expect(stored()).to.include(7);
  });

  it('ends what was accepted before it closes, and takes nothing after', async () => {
    const writes = [insert(1), insert(2)];
    const closing = connection.close();
    const late = insert(3).catch(codeOf);
    await Promise.all([closing, ...writes]);
    expect(stored()).to.deep.equal([1, 2]);
    expect(await late).to.equal('unavailable');
    expect(await connection.read(() => 1).catch(codeOf)).to.equal('unavailable');
  });
});
