import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { silentLog } from '#log.ts';
import { createSqliteBus, busSchema } from './bus.ts';
import { openSqliteStores } from './index.ts';
import { openDatabase } from './open.ts';
import { createSqliteStateStore, stateSchema } from './state-store.ts';

const failure = (error: unknown): string => {
  const { code, message } = error as { code?: string; message: string };
  return `${code}: ${message}`;
};

describe('the stores on SQLite', () => {
  let parent: string;
  let folder: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'portico-sqlite-'));
    folder = join(parent, 'data');
  });
  afterEach(() => rm(parent, { recursive: true }));

  it('are readable by their owner alone', async function test() {
    if (process.platform === 'win32') this.skip();
    const stores = await openSqliteStores(folder, silentLog);
    await stores.state.put('a', '1', 1000);
    const { hash } = await stores.files.put(Readable.from(['x']), 10);
    const mode = async (...path: string[]) => ((await stat(join(folder, ...path))).mode & 0o777).toString(8);
    for (const name of (await readdir(folder)).filter((each) => each !== 'files'))
      expect(await mode(name), name).to.equal('600');
    expect(await readdir(folder)).to.include('state.db-wal');
    expect(await mode()).to.equal('700');
    expect(await mode('files', hash.slice(0, 2))).to.equal('700');
    expect(await mode('files', hash.slice(0, 2), hash)).to.equal('600');
    await stores.close();
  });

  it('can be opened many times at the same moment, also while they are made', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => openSqliteStores(folder, silentLog)));
    await Promise.all(opened.map(({ state }) => state.put('a', '1', 1000)));
    await Promise.all(opened.map((stores) => stores.close()));
    expect(opened[0]!.kind).to.equal('SQLite');
  });

  it('refuse a folder that a newer version has written, and say so', async () => {
    await (await openSqliteStores(folder, silentLog)).close();
    const db = await openDatabase(join(folder, 'state.db'), { synchronous: 'full', schema: stateSchema });
    db.run(`update meta set value = 2 where name = 'version'`);
    db.close();
    expect(await openSqliteStores(folder, silentLog).catch(failure)).to.match(
      /^unavailable: .*state\.db .*newer .*schema 2/,
    );
  });

  it('refuse a file that is no database', async () => {
    await mkdir(folder);
    await writeFile(
      join(folder, 'objects.db'),
      'something else altogether, long enough to be read as a header'.repeat(20),
    );
    expect(await openSqliteStores(folder, silentLog).catch(failure)).to.match(
      /^unavailable: .*objects\.db is not a database/,
    );
  });

  it('leave nothing of an upload that was refused or broke off', async () => {
    const stores = await openSqliteStores(folder, silentLog);
    await stores.files.put(Readable.from(['123456']), 3).catch(failure);
    const broken = new Readable({ read() {} });
    const put = stores.files.put(broken, 10).catch(failure);
    broken.push('1');
    setImmediate(() => broken.destroy(new Error('gone')));
    expect(await put).to.match(/gone/);
    expect(await readdir(join(folder, 'files', 'unfinished'))).to.deep.equal([]);
    expect(await readdir(join(folder, 'files'))).to.deep.equal(['unfinished']);
    await stores.close();
  });

  it('remove at opening what processes left behind that are no more, and only that', async () => {
    await (await openSqliteStores(folder, silentLog)).close();
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    const here = hostname().replaceAll(/[^\w.-]/g, '_');
    const unfinished = join(folder, 'files', 'unfinished');
    const kept = [
      `elsewhere~${ended}~1~b`,
      `${here}~${process.ppid}~1~d`,
      `${here}~${process.pid}~${Math.round(performance.timeOrigin)}~e`,
    ];
    const gone = [`${here}~${ended}~1~a`, `${here}~${process.pid}~1~c`, 'elsewhere~1~1~old'];
    for (const name of [...kept, ...gone]) await writeFile(join(unfinished, name), 'x');
    await utimes(join(unfinished, 'elsewhere~1~1~old'), 1, 1);
    await (await openSqliteStores(folder, silentLog)).close();
    expect((await readdir(unfinished)).toSorted()).to.deep.equal(kept.toSorted());
  });

  it('take out state that has ended, more of it than one transaction takes', async () => {
    const db = await openDatabase(join(parent, 'state.db'), { synchronous: 'full', schema: stateSchema });
    let now = 1_000;
    const state = createSqliteStateStore(
      db,
      () => now,
      (error) => expect.fail(String(error)),
    );
    await Promise.all(Array.from({ length: 1_200 }, (_, n) => state.put(`key-${n}`, 'x', n === 0 ? 60_000 : 10)));
    await state.addMember('ended', 'a', 10);
    await state.addMember('lives', 'a', 60_000);
    now += 20;
    await state.sweep();
    const left = ['state', 'sets', 'members'].map((table) => db.all(`select * from ${table}`).length);
    expect(left).to.deep.equal([1, 1, 1]);
    await state.close();
  });

  it('take out old messages of the bus, and miss none', async () => {
    const path = join(parent, 'bus.db');
    const db = await openDatabase(path, { synchronous: 'normal', schema: busSchema });
    let now = 1_000;
    const bus = createSqliteBus(db, silentLog, () => now);
    const other = createSqliteBus(
      await openDatabase(path, { synchronous: 'normal', schema: busSchema }),
      silentLog,
      () => now,
    );
    const heard: string[] = [];
    other.subscribe('news', (message) => heard.push(message));
    for (let round = 1; round <= 3; round++) {
      for (let n = 0; n < 10; n++) await bus.publish('news', 'x');
      while (heard.length < 10 * round) await new Promise((done) => setTimeout(done, 5));
      now += 100_000;
    }
    const kept = db.all('select * from messages').length;
    expect(heard).to.have.length(30);
    expect(kept).to.be.within(10, 12);
    await Promise.all([bus.close(), other.close()]);
  });
});
