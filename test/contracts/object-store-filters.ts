import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Filter, Reach, Scalar } from '#query/filter.ts';
import type { Doc, Stored, Value } from '#stores/object-store.ts';
import { compareValues, evaluateFilter, type Objects } from '../support/evaluate-filter.ts';
import type { Opened } from './object-store.ts';

const keys = ['a', 'b', 'ab', '5', '7', '07', 'Ж', '0.5'];
const texts = [
  '',
  'a',
  'A',
  'ab',
  'Ab',
  'b[a',
  '[]',
  '*',
  'a*b',
  'жук',
  'ЖУК',
  'ΟΔΟΣ',
  'οδος',
  '5',
  'null',
  'b\nа',
  '👍',
];
const numbers = [0, 1, -1, 5, 7, 2.5, 0.1, 0.30000000000000004, 1e300, 4.35e-301, 9007199254740991, 5838.234719273471];

const text = fc.constantFrom(...texts);
const number = fc.oneof(fc.constantFrom(...numbers), fc.double({ noNaN: true, noDefaultInfinity: true }));
const key: fc.Arbitrary<Scalar> = fc.oneof(fc.constantFrom(...keys), fc.constantFrom(5, 7, 0.5));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });

/** Attributes by the kind of their values: text, number, boolean, either, list, reference, list of references. */
const doc: fc.Arbitrary<Doc> = fc.record(
  {
    t: maybe(text),
    n: maybe(number),
    b: maybe(fc.boolean()),
    address$city: maybe(fc.oneof(text, number)),
    l: maybe(fc.array(fc.oneof(text, number), { maxLength: 3 })),
    r: maybe(key),
    rs: maybe(fc.array(key, { maxLength: 3 })),
  },
  { requiredKeys: [] },
);
const value = (path: string): fc.Arbitrary<Scalar> =>
  ({ t: text, n: number, b: fc.boolean(), r: key, _id: fc.constantFrom(...keys) })[path] ?? fc.oneof(text, number);

const scalarPath = fc.constantFrom('t', 'n', 'b', 'address$city', 'r', '_id', 'absent');
const orderedPath = fc.constantFrom('t', 'n', 'address$city', '_id', 'absent');
const at = <T>(path: fc.Arbitrary<string>, make: (path: string) => fc.Arbitrary<T>): fc.Arbitrary<T> =>
  path.chain(make);

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.constant<Filter>({ op: 'all' }),
  at(scalarPath, (path) =>
    fc.record({ op: fc.constant('eq' as const), path: fc.constant(path), value: maybe(value(path)) }),
  ),
  at(orderedPath, (path) =>
    fc.record({ op: fc.constantFrom('lt', 'lte', 'gt', 'gte'), path: fc.constant(path), value: value(path) }),
  ),
  at(scalarPath, (path) =>
    fc.record({
      op: fc.constant('in' as const),
      path: fc.constant(path),
      values: fc.array(maybe(value(path)), { maxLength: 4 }),
    }),
  ),
  fc.record({ op: fc.constant('like' as const), path: fc.constantFrom('t', 'address$city', 'n', '_id'), text }),
  fc.record({
    op: fc.constant('match' as const),
    path: fc.constantFrom('t', 'address$city', '_id'),
    pieces: fc.array(text, { minLength: 1, maxLength: 3 }),
    start: fc.boolean(),
    end: fc.boolean(),
  }),
  fc.record({
    op: fc.constant('empty' as const),
    path: fc.constantFrom('t', 'n', 'l', 'rs', 'address$city', 'absent'),
  }),
  at(fc.constantFrom('l', 'rs'), (path) =>
    fc.record({ op: fc.constant('has' as const), path: fc.constant(path), value: value(path === 'rs' ? 'r' : path) }),
  ),
);
const collection = fc.constantFrom('left', 'right', 'nowhere');
const reach: fc.Arbitrary<Reach> = fc.oneof(
  fc.record({ kind: fc.constant('reference' as const), path: fc.constantFrom('r', '_id'), collection }),
  fc.record({ kind: fc.constant('list' as const), path: fc.constant('rs'), collection }),
  fc.record({ kind: fc.constant('back' as const), path: fc.constantFrom('r', '_id'), collection }),
);
export const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({ op: fc.constantFrom('and', 'or'), parts: fc.array(tie('filter'), { maxLength: 4 }) }),
    fc.record({ op: fc.constant('not' as const), part: tie('filter') }),
    fc.record({ op: fc.constant('some' as const), reach, part: tie('filter') }),
  ),
}));
/** Of one collection. */
export const documents = fc.dictionary(fc.constantFrom(...keys), doc, { noNullPrototype: true });
export const sort = fc.array(
  fc.record({ path: fc.constantFrom('t', 'n', '_id', 'absent'), descending: fc.boolean() }),
  {
    maxLength: 2,
  },
);

export function filtersContract(opened: () => Opened): void {
  async function replace(name: string, docs: Readonly<Record<string, Doc>>): Promise<readonly Stored[]> {
    const { store } = opened();
    const gone = keys.map((id) => ({ op: 'delete', collection: name, id }) as const);
    const there = Object.entries(docs).map(([id, one]) => ({ op: 'insert', collection: name, id, doc: one }) as const);
    await store.write([...gone, ...there], { atomic: false });
    return Object.entries(docs).map(([id, one]) => ({ id, revision: 1, doc: JSON.parse(JSON.stringify(one)) as Doc }));
  }
  const compare = (order: readonly { path: string; descending: boolean }[]) => (a: Stored, b: Stored) => {
    for (const { path, descending } of [...order, { path: '_id', descending: order.at(-1)?.descending ?? false }]) {
      const read = (one: Stored): Value => (path === '_id' ? one.id : (one.doc[path] ?? null));
      const result = compareValues(read(a), read(b));
      if (result !== 0) return descending ? -result : result;
    }
    return 0;
  };

  for (const indexes of [[], ['t', 'n', 'r', 'address$city'].map((path) => ({ name: path, paths: [path] }))]) {
    it(`give what a plain reading of them gives, ${indexes.length ? 'with' : 'without'} indexes`, async function test() {
      this.timeout(60_000);
      const { store } = opened();
      await store.prepare(['left', 'right'].map((name) => ({ name, indexes })));
      const property = fc.asyncProperty(
        documents,
        documents,
        fc.array(filter, { minLength: 5, maxLength: 10 }),
        sort,
        async (l, r, filters, order) => {
          const objects: Objects = { left: await replace('left', l), right: await replace('right', r) };
          for (const one of filters) {
            const expected = objects['left']!.filter((object) => evaluateFilter(one, object, objects)).sort(
              compare(order),
            );
            const found = await store.find('left', { filter: one, sort: order, count: 100 });
            expect(found.map(({ id }) => id)).to.deep.equal(expected.map(({ id }) => id));
            expect(await store.count('left', one)).to.equal(expected.length);
          }
        },
      );
      await fc.assert(property, { numRuns: 150 });
    });
  }

  const titles: Readonly<Record<string, Doc>> = { a: { t: 'Война и мир', n: 1, l: ['x', 5] }, b: { t: null, l: [] }, c: { n: null, t: '' }, '7': { t: 'x', n: 2 } }; // prettier-ignore
  const cases: readonly (readonly [string, Filter, string])[] = [
    ['null matches what is missing', { op: 'eq', path: 'n', value: null }, 'b c'],
    ['a range never matches what is missing', { op: 'lt', path: 'n', value: 100 }, '7 a'],
    ['not is plain negation, also of what is missing', { op: 'not', part: { op: 'lt', path: 'n', value: 2 } }, '7 b c'],
    ['not of null', { op: 'not', part: { op: 'eq', path: 't', value: null } }, '7 a c'],
    ['a list of values may hold null', { op: 'in', path: 'n', values: [1, null] }, 'a b c'],
    ['no values match nothing', { op: 'in', path: 'n', values: [] }, ''],
    ['like ignores case in Cyrillic', { op: 'like', path: 't', text: 'ВОЙНА И' }, 'a'],
    ['match does not ignore case', { op: 'match', path: 't', pieces: ['война'], start: false, end: false }, ''],
    ['match is anchored where said', { op: 'match', path: 't', pieces: ['Во', 'мир'], start: true, end: true }, 'a'],
    ['empty is null, missing, empty text and empty list', { op: 'empty', path: 'l' }, '7 b c'],
    ['has looks into the list', { op: 'has', path: 'l', value: 5 }, 'a'],
    ['an empty disjunction matches nothing', { op: 'or', parts: [] }, ''],
    ['the id is a text', { op: 'eq', path: '_id', value: 7 }, '7'],
  ];
  for (const [title, one, expected] of cases) {
    it(title, async () => {
      await replace('left', titles);
      const writes = Object.entries(titles).map(
        ([id, plain]) => ({ op: 'upsert', collection: 'left', id, doc: plain }) as const,
      );
      await opened().store.write(writes, { atomic: true });
      const found = await opened().store.find('left', { filter: one, count: 10 });
      expect(found.map(({ id }) => id).join(' ')).to.equal(expected);
    });
  }
}
