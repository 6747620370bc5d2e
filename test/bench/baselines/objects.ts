import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import { Router } from '@koa/router';
import Koa from 'koa';
import { listenKoa, options } from './listen.ts';

interface Doc {
  readonly _id: string;
  readonly [name: string]: unknown;
}

interface Options {
  readonly folder: string;
  /** JSON list of the objects to begin with. */
  readonly file: string;
  /** The list is filtered by `group`, sorted by `text`. */
  readonly group: string;
  readonly text: string;
  readonly indexes: readonly string[];
}
const { folder, file, group, text, indexes } = options() as Options;
const column = (name: string) => `doc ->> '$."${name}"'`;
const db = new DatabaseSync(join(folder, 'objects.db'));
db.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000;
  create table objects (id text not null primary key, revision integer not null, doc text not null) strict`);
for (const [number, definition] of indexes.entries()) db.exec(`create index i${number} on objects (${definition})`);
const get = db.prepare('select doc from objects where id = ?');
const list = db.prepare(`select doc from objects where ${column(group)} = ? order by ${column(text)}, id limit ?`);
const update = db.prepare('update objects set doc = ?, revision = revision + 1 where id = ?');
const save = db.prepare(`insert into objects values (?, 1, ?)
  on conflict (id) do update set doc = excluded.doc, revision = revision + 1`);

function saveAll(docs: readonly Doc[]): void {
  db.exec('begin immediate');
  for (const doc of docs) save.run(doc._id, JSON.stringify(doc));
  db.exec('commit');
}
const toDoc = (row: { readonly [name: string]: unknown }): Doc => JSON.parse(String(row['doc'])) as Doc;

saveAll(JSON.parse(readFileSync(file, 'utf8')) as Doc[]);

const router = new Router();
router.get('/objects/:id', (ctx) => {
  const row = get.get(ctx.params['id']!);
  if (row) ctx.body = toDoc(row);
});
router.get('/objects', (ctx) => {
  ctx.body = list.all(String(ctx.query[group]), Number(ctx.query['_count'])).map(toDoc);
});
router.patch('/objects/:id', async (ctx) => {
  const changes = (await json(ctx.req)) as object;
  const row = get.get(ctx.params['id']!);
  if (!row) return;
  const doc = { ...toDoc(row), ...changes };
  update.run(JSON.stringify(doc), doc._id);
  ctx.body = doc;
});
router.post('/objects', async (ctx) => {
  const docs = (await json(ctx.req)) as readonly Doc[];
  saveAll(docs);
  ctx.body = docs;
});
listenKoa(new Koa().use(router.routes()));
