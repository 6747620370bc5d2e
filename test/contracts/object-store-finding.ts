import { expect } from 'chai';
import type { Filter, Sort } from '#query/filter.ts';
import type { Doc, Find, ObjectStore } from '#stores/object-store.ts';
import type { Opened } from './object-store.ts';
import { thrown } from './thrown.ts';

const all: Filter = { op: 'all' };
const ids = async (store: ObjectStore, find: Partial<Find>): Promise<string> =>
  (await store.find('books', { filter: all, count: 1000, ...find })).map((one) => one.id).join(' ');
const by = (path: string, descending = false): Sort => [{ path, descending }];

async function fill(store: ObjectStore, docs: Readonly<Record<string, Doc>>): Promise<void> {
  const writes = Object.entries(docs).map(([id, doc]) => ({ op: 'insert', collection: 'books', id, doc }) as const);
  await store.write(writes, { atomic: true });
}

export function findingContract(opened: () => Opened): void {
  const library = { c: { n: 2, t: 'b' }, a: { n: 10, t: null }, e: { n: 2 }, d: { t: 'Б' }, b: { n: -1.5, t: 'a' } };

  for (const indexes of [
    [],
    [
      { name: 'n', paths: ['n'] },
      { name: 't', paths: ['t', 'n'] },
    ],
  ]) {
    describe(indexes.length === 0 ? 'without an index' : 'with an index', () => {
      beforeEach(async () => {
        await opened().store.prepare([{ name: 'books', indexes }]);
        await fill(opened().store, library);
      });

      it('gives objects by id where no order is asked for', async () => {
        expect(await ids(opened().store, {})).to.equal('a b c d e');
      });

      it('sorts nulls and missing values first, then the id in the direction of the last word', async () => {
        const { store } = opened();
        expect(await ids(store, { sort: by('n') })).to.equal('d b c e a');
        expect(await ids(store, { sort: by('n', true) })).to.equal('a e c b d');
        expect(await ids(store, { sort: by('t') })).to.equal('a e b c d');
        expect(await ids(store, { sort: [...by('n', true), ...by('t')] })).to.equal('a e c b d');
        expect(await ids(store, { sort: by('_id', true) })).to.equal('e d c b a');
      });

      it('gives pages that together are the whole', async () => {
        const { store } = opened();
        const pages = [0, 2, 4, 6].map((offset) => ids(store, { sort: by('n'), offset, count: 2 }));
        expect(await Promise.all(pages)).to.deep.equal(['d b', 'c e', 'a', '']);
        expect(await ids(store, { count: 2, after: 'b' })).to.equal('c d');
        expect(await ids(store, { count: 2, after: 'bb', filter: { op: 'gt', path: 'n', value: 0 } })).to.equal('c e');
        expect(await ids(store, { count: 0 })).to.equal('');
      });

      it('counts what the filter lets through', async () => {
        const { store } = opened();
        expect(await store.count('books', all)).to.equal(5);
        expect(await store.count('books', { op: 'eq', path: 'n', value: 2 })).to.equal(2);
        expect(await store.count('books', { op: 'eq', path: 'n', value: null })).to.equal(1);
      });
    });
  }

  it('sorts text by code points, beyond the basic plane too', async () => {
    await fill(opened().store, {
      a: { t: '\u{1F44D}' },
      b: { t: '\uFFFD' },
      c: { t: 'ж' },
      d: { t: 'Z' },
      e: { t: 'a' },
    });
    expect(await ids(opened().store, { sort: by('t') })).to.equal('d e c b a');
  });

  it('takes hostile names for names that no object has, or refuses them', async () => {
    const { store } = opened();
    await fill(store, { a: { n: 1 } });
    const hostile = [
      `n"' or 1=1 --`,
      '',
      '$where',
      '$',
      'n\u0000',
      '__proto__',
      'constructor',
      '"',
      '$."n"',
      "n') or ('1'='1",
      'n\\',
    ];
    for (const path of hostile) {
      for (const filter of [{ op: 'eq', path, value: 1 } as const, { op: 'gt', path, value: 0 } as const]) {
        const outcome = await ids(store, { filter }).catch((error: unknown) => thrown(Promise.reject(error)));
        expect(outcome, path).to.match(/^$|^bad_request/);
      }
    }
    expect(await store.count('books', all)).to.equal(1);
  });

  it('takes hostile values for data', async () => {
    const { store } = opened();
    const values = [
      `' or 1=1 --`,
      '$ne',
      '{"$gt": ""}',
      '%',
      '_',
      '*',
      '?',
      '[a-z]',
      '.*',
      '\\',
      '"',
      '\u0000x',
      '$.n',
    ];
    await fill(store, Object.fromEntries(values.map((text, n) => [`id-${n}`, { text }])));
    for (const [n, value] of values.entries()) {
      const found = await ids(store, { filter: { op: 'eq', path: 'text', value } });
      expect(found, value).to.equal(`id-${n}`);
      expect(await ids(store, { filter: { op: 'in', path: 'text', values: [value] } }), value).to.equal(`id-${n}`);
    }
    const holding = (text: string) => ids(store, { filter: { op: 'like', path: 'text', text } });
    expect(await holding('%')).to.equal('id-3');
    expect(await holding('_')).to.equal('id-4');
    expect(await holding('[A-')).to.equal('id-7');
    const beginning = (piece: string) =>
      ids(store, { filter: { op: 'match', path: 'text', pieces: [piece], start: true, end: false } });
    expect(await beginning('[')).to.equal('id-7');
    expect(await beginning('*')).to.equal('id-5');
    expect(await beginning('.*')).to.equal('id-8');
  });

  describe('large filters', () => {
    beforeEach(() => fill(opened().store, { a: { n: 1, t: 'x1' }, b: { n: 9_999, t: 'x9999' }, c: { n: -5, t: 'y' } }));
    const many = Array.from({ length: 10_000 }, (_, n) => n);

    it('of ten thousand alternatives', async () => {
      const { store } = opened();
      expect(await ids(store, { filter: { op: 'in', path: 'n', values: many } })).to.equal('a b');
      const parts = many.map((value): Filter => ({ op: 'eq', path: 'n', value }));
      expect(await ids(store, { filter: { op: 'or', parts } })).to.equal('a b');
      const not = parts.map((part): Filter => ({ op: 'not', part }));
      expect(await ids(store, { filter: { op: 'and', parts: not } })).to.equal('c');
      const texts = many.map((value): Filter => ({ op: 'like', path: 't', text: `x${value}` }));
      expect(await ids(store, { filter: { op: 'or', parts: texts } })).to.equal('a b');
      const above = many.map((value): Filter => ({ op: 'gte', path: 'n', value: -value }));
      expect(await ids(store, { filter: { op: 'and', parts: above } })).to.equal('a b');
    });

    it('nested fifty times', async () => {
      let filter: Filter = { op: 'eq', path: 'n', value: 1 };
      for (let depth = 0; depth < 50; depth++) {
        const other: Filter = { op: 'eq', path: 't', value: `none-${depth}` };
        const group: Filter = { op: depth % 4 < 2 ? 'or' : 'and', parts: [filter, depth % 4 < 2 ? other : all] };
        filter = depth % 2 ? { op: 'not', part: group } : group;
      }
      expect(await ids(opened().store, { filter })).to.equal('b c'); // 25 negations
    });

    it('beyond what a database takes are a bad request, whatever they are made of', async () => {
      const { store } = opened();
      const reach = { kind: 'back', path: 'n', collection: 'books' } as const;
      const layers: ((part: Filter) => Filter)[] = [
        (part) => ({ op: 'not', part }),
        (part) => ({ op: 'and', parts: [part, { op: 'not', part: all }] }),
        (part) => ({
          op: 'or',
          parts: [
            { op: 'and', parts: [part, all] },
            { op: 'not', part: all },
          ],
        }),
        (part) => ({ op: 'some', reach, part }),
        (part) => ({ op: 'some', reach: { ...reach, kind: 'list' }, part: { op: 'not', part } }),
        (part) => ({ op: 'some', reach: { ...reach, kind: 'reference' }, part }),
      ];
      for (const [n, layer] of layers.entries()) {
        for (const depth of [10, 25, 40, 80, 160, 320, 640, 20_000]) {
          let filter: Filter = { op: 'eq', path: 'n', value: 1 };
          for (let level = 0; level < depth; level++) filter = layer(filter);
          const outcome = await ids(store, { filter }).catch((error: unknown) => thrown(Promise.reject(error)));
          expect(outcome, `layer ${n}, ${depth} times`).to.match(/^[abc ]*$|^bad_request/);
        }
      }
    });
  });
}
