import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#log.ts';
import { openSqliteStores } from './index.ts';
import { openDatabase } from './open.ts';
import { busSchema } from './bus.ts';

describe('the SQLite bus', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-bus-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('says that news got lost when messages were taken out unread, and never otherwise', async () => {
    const stores = await openSqliteStores(folder, silentLog);
    const db = await openDatabase(join(folder, 'bus.db'), { synchronous: 'normal', schema: busSchema });
    const add = (text: string) =>
      db.run(`insert into messages (sent, origin, topic, message) values (1, 'other', 'news', ?)`, text);
    try {
      const heard: string[] = [];
      stores.bus.subscribe('news', (message) => heard.push(message));
      const end = stores.bus.onGap(() => heard.push('gap'));
      const arrived = async (count: number) => {
        for (const until = Date.now() + 1000; heard.length < count && Date.now() < until;) {
          await new Promise((done) => setTimeout(done, 5));
        }
      };
      add('a');
      add('b');
      await arrived(2);
      db.script(`begin immediate; insert into messages (sent, origin, topic, message) values (1, 'other', 'news', 'c');
        delete from messages; insert into messages (sent, origin, topic, message) values (1, 'other', 'news', 'd'); commit`);
      await arrived(4);
      expect(heard).to.deep.equal(['a', 'b', 'gap', 'd']);
      end();
    } finally {
      db.close();
      await stores.close();
    }
  });
});
