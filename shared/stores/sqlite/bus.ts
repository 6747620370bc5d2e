import { randomUUID } from 'node:crypto';
import type { Log } from '#log.ts';
import type { Bus } from '../bus.ts';
import { createSubscribers } from '../subscribers.ts';
import { createConnection } from './connection.ts';
import { isBusy, type Database } from './open.ts';

/** Numbers are never given twice, or a reader would miss a message after old ones were taken out. */
export const busSchema = `
  create table messages (number integer primary key autoincrement, sent real not null, origin text not null,
    topic text not null, message text not null) strict;`;

const pollEvery = 50; // milliseconds; one look costs 2 µs
const keep = 60_000; // milliseconds: a process that was held up this long misses messages
const trimEvery = 10_000;

export function createSqliteBus(db: Database, log: Log, clock: () => number): Bus {
  const connection = createConnection(db);
  const origin = randomUUID();
  const { deliver, missed, subscribe, onGap, clear } = createSubscribers(log);
  let seen = 0;
  let version: unknown;
  let timer: NodeJS.Timeout | undefined;
  let trimmed = -Infinity;

  /** The version changes with commits of other connections only. */
  const isNew = (): boolean => {
    const current = db.first('pragma data_version')?.['data_version'];
    if (current === version) return false;
    version = current;
    return true;
  };

  const poll = (): void => {
    try {
      if (!isNew()) return;
      const sql = 'select number, origin, topic, message from messages where number > ? order by number limit 1000';
      for (let rows = db.all(sql, seen); rows.length > 0; rows = db.all(sql, seen)) {
        if (Number(rows[0]!['number']) > seen + 1) missed(); // held up for so long that some were taken out
        for (const row of rows) {
          seen = Number(row['number']);
          if (row['origin'] !== origin) deliver(String(row['topic']), String(row['message']));
        }
      }
    } catch (error) {
      version = undefined; // look again next time
      missed();
      if (!isBusy(error)) log.error('the bus cannot be read', { error });
    }
  };

  const start = (): void => {
    seen = Number(db.first('select ifnull(max(number), 0) as last from messages')!['last']);
    isNew();
    timer = setInterval(poll, pollEvery).unref();
  };

  return {
    async publish(topic, message) {
      await connection.write(() => {
        const now = clock();
        db.run('insert into messages (sent, origin, topic, message) values (?, ?, ?, ?)', now, origin, topic, message);
        if (now - trimmed < trimEvery) return;
        trimmed = now;
        db.run('delete from messages where number < (select max(number) from messages where sent < ?)', now - keep);
      });
      deliver(topic, message);
    },
    subscribe(topic, receive) {
      if (timer === undefined) start();
      return subscribe(topic, receive);
    },
    onGap(receive) {
      if (timer === undefined) start();
      return onGap(receive);
    },
    close() {
      clearInterval(timer);
      clear();
      return connection.close();
    },
  };
}
