import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Filter } from '#query/filter.ts';
import { createCollections } from './collections.ts';
import { column, fold } from './column.ts';
import { filterToSql } from './filter-to-sql.ts';
import { objectsSchema } from './object-store.ts';
import { openDatabase, type Database } from './open.ts';

const range: Filter = {
  op: 'and',
  parts: [
    { op: 'gt', path: 'n', value: 1 },
    { op: 'lte', path: 'n', value: 9 },
  ],
};
const author: Filter = { op: 'eq', path: 'name', value: 'x' };

describe('an index of a collection on SQLite', () => {
  let folder: string;
  let db: Database;
  let tableOf: (collection: string) => string | undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-sqlite-'));
    db = await openDatabase(join(folder, 'objects.db'), { synchronous: 'full', schema: objectsSchema });
    db.define('fold', fold);
    const collections = createCollections(db);
    const indexes = ['n', `address$city`, 'author'].map((path) => ({ name: path, paths: [path] }));
    collections.prepare({ name: 'books', indexes: [...indexes, { name: 'isbn', paths: ['isbn'], unique: true }] });
    collections.prepare({ name: 'authors', indexes: [{ name: 'name', paths: ['name'] }] });
    tableOf = collections.find;
  });
  after(async () => {
    db.close();
    await rm(folder, { recursive: true });
  });
  const plan = (filter: Filter, order = ''): string => {
    const { text, values } = filterToSql(filter, tableOf);
    const sql = `explain query plan select id, revision, doc from ${tableOf('books')} where ${text} ${order} limit 20`;
    return db.all(sql, ...values).map((row) => row['detail']).join('; '); // prettier-ignore
  };

  const served: readonly (readonly [string, Filter])[] = [
    ['equality', { op: 'eq', path: 'n', value: 5 }],
    ['null', { op: 'eq', path: 'n', value: null }],
    ['a range', range],
    ['several values', { op: 'in', path: 'address$city', values: ['a', 'b'] }],
    ['a beginning', { op: 'match', path: 'address$city', pieces: ['Пе'], start: true, end: false }],
    ['a unique value', { op: 'eq', path: 'isbn', value: '1' }],
    [
      'a reference to what fulfils a condition',
      { op: 'some', reach: { kind: 'reference', path: 'author', collection: 'authors' }, part: author },
    ],
    ['being referred to', { op: 'some', reach: { kind: 'back', path: 'book', collection: 'authors' }, part: author }],
    [
      'one of the conditions',
      {
        op: 'and',
        parts: [
          { op: 'eq', path: 'n', value: 5 },
          { op: 'like', path: 'title', text: 'x' },
        ],
      },
    ],
  ];
  for (const [title, filter] of served) {
    it(`serves ${title}`, () => {
      expect(plan(filter)).to.match(/^SEARCH objects_1 USING INDEX (index_\d|sqlite_autoindex_objects_1_1) /);
      expect(plan(filter)).to.not.match(/SCAN objects/);
    });
  }

  it('serves an order in both directions, without sorting', () => {
    for (const filter of [{ op: 'all' } as const, range]) {
      for (const order of [`${column('n')}, id`, `${column('n')} desc, id desc`]) {
        expect(plan(filter, `order by ${order}`))
          .to.match(/USING INDEX index_1/)
          .and.not.match(/TEMP B-TREE/);
      }
    }
  });

  it('does not serve what it cannot: such a plan reads as one', () => {
    expect(plan({ op: 'eq', path: 'title', value: 'x' })).to.match(/^SCAN objects_1/);
  });
});
