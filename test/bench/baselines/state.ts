import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Router } from '@koa/router';
import Koa from 'koa';
import { listenKoa, options } from './listen.ts';

const { folder, token, reads } = options() as { folder: string; token: string; reads: number };
const db = new DatabaseSync(join(folder, 'state.db'));
db.exec(`pragma journal_mode = wal;
  create table state (key text primary key, value text not null, expires real not null) strict, without rowid`);
const put = db.prepare('insert into state values (?, ?, ?)');
const get = db.prepare('select value from state where key = ? and expires > ?');
const value = { owner: 'demo@local', grant: 'grant', created: Date.now(), filler: 'x'.repeat(120) };
put.run(token, JSON.stringify(value), Date.now() + 3_600_000);
put.run('grant', JSON.stringify(value), Date.now() + 3_600_000);

const read = (key: string): typeof value | undefined => {
  const row = get.get(key, Date.now());
  return row && (JSON.parse(String(row['value'])) as typeof value);
};

const router = new Router();
router.all('/echo', (ctx) => {
  const found = read(ctx.get('auth-token') || ctx.get('authorization').slice('Bearer '.length));
  const owner = found && (reads === 1 || read(found.grant)) ? found.owner : ctx.throw(401);
  ctx.body = { message: `You are ${owner}`, user: owner, method: ctx.method, query: ctx.query, body: null };
});
listenKoa(new Koa().use(router.routes()));
