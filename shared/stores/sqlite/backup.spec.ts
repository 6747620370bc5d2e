import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { silentLog } from '#log.ts';
import type { Stores } from '../stores.ts';
import { openSqliteStores } from './index.ts';

describe('a backup of the SQLite folder', () => {
  let parent: string;
  let stores: Stores;
  let copy: string;
  const openCopy = () => openSqliteStores(copy, silentLog);
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'portico-backup-'));
    stores = await openSqliteStores(join(parent, 'data'), silentLog);
    copy = join(parent, 'copy');
  });
  afterEach(async () => {
    await stores.close();
    await rm(parent, { recursive: true });
  });
  const insert = (id: string) => {
    const both = ['left', 'right'].map((collection) => ({ op: 'insert', collection, id, doc: { id } }) as const);
    return stores.objects.write(both, { atomic: true });
  };

  it('holds objects, counters, state and files, and opens as stores do', async () => {
    await insert('a');
    await stores.objects.raise('numbers', 7);
    await stores.state.put('session', 'here', 60_000);
    const { hash } = await stores.files.put(Readable.from(['content']), 100);
    expect(await stores.backUp!(copy)).to.deep.equal({ documents: 2, files: 1, bytes: 7, damaged: [] });
    const copied = await openCopy();
    expect((await copied.objects.get('left', ['a']))[0]?.doc).to.deep.equal({ id: 'a' });
    expect(await copied.objects.reserve('numbers', 1)).to.equal(8);
    expect(await copied.state.get('session')).to.equal('here');
    expect(await text((await copied.files.open(hash))!)).to.equal('content');
    await copied.close();
    expect((await stat(join(copy, 'objects.db'))).mode & 0o77).to.equal(0);
  });

  it('is of one moment while others write: all that was acknowledged before, no half of a batch', async () => {
    const load = { acknowledged: 0, stopped: false };
    const writing = (async () => {
      for (let n = 0; !load.stopped; n++) {
        await insert(String(n));
        load.acknowledged = n + 1;
      }
    })();
    while (load.acknowledged < 300) await new Promise((done) => setTimeout(done, 5));
    const before = load.acknowledged;
    const { documents } = await stores.backUp!(copy);
    const after = load.acknowledged;
    load.stopped = true;
    await writing;
    const copied = await openCopy();
    const [left, right] = await Promise.all(['left', 'right'].map((name) => copied.objects.count(name, { op: 'all' })));
    await copied.close();
    expect(left).to.equal(right);
    expect(documents).to.equal(left! * 2);
    expect(left).to.be.within(before, after + 1);
  });

  it('tells of stored files whose content is no longer what it was, and copies them', async () => {
    const { hash } = await stores.files.put(Readable.from(['content']), 100);
    const place = join('files', hash.slice(0, 2), hash);
    await writeFile(join(parent, 'data', place), 'c0ntent');
    expect((await stores.backUp!(copy)).damaged).to.deep.equal([hash]);
    expect((await stat(join(copy, place))).size).to.equal(7);
  });

  it('leaves out what is still being received', async () => {
    await writeFile(join(parent, 'data/files/unfinished/some~1~2~3'), 'half');
    await stores.backUp!(copy);
    expect(await readdir(join(copy, 'files'))).to.deep.equal([]);
  });

  it('writes over nothing', async () => {
    await stores.backUp!(copy);
    expect(await stores.backUp!(copy).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('EEXIST');
  });
});
