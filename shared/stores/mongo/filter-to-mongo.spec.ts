import { expect } from 'chai';
import type { Filter } from '#query/filter.ts';
import { filterToMongo, type Condition, type Some } from './filter-to-mongo.ts';

const itself = { $not: { $type: 'array' } };
const reach = { path: 'author', collection: 'authors' };
const part: Filter = { op: 'eq', path: 'name', value: 'x' };
const some = (kind: Some['reach']['kind'], path = 'author'): Some => ({
  op: 'some',
  reach: { ...reach, kind, path },
  part,
});

const cases: readonly (readonly [Filter, Condition])[] = [
  [{ op: 'all' }, {}],
  [{ op: 'and', parts: [] }, {}],
  [{ op: 'or', parts: [] }, { _id: { $in: [] } }],
  [{ op: 'eq', path: 'n', value: null }, { 'd.n': { $exists: false } }],
  [{ op: 'eq', path: 'n', value: '$where' }, { 'd.n': { $eq: '$where', ...itself } }],
  [{ op: 'eq', path: '_id', value: 5 }, { _id: { $eq: '5' } }],
  [{ op: 'eq', path: 'a.b', value: 1 }, { 'd.a%2Eb': { $eq: 1, ...itself } }],
  [{ op: 'eq', path: '$where', value: 1 }, { 'd.%24where': { $eq: 1, ...itself } }],
  [{ op: 'eq', path: 'struct$attr', value: 1 }, { 'd.struct$attr': { $eq: 1, ...itself } }],
  [{ op: 'lt', path: 'n', value: 5 }, { 'd.n': { $lt: 5, ...itself } }],
  [{ op: 'in', path: 'n', values: [0, '', null] }, { 'd.n': { $in: [0, '', null], ...itself } }],
  [{ op: 'in', path: '_id', values: [0, 'a'] }, { _id: { $in: ['0', 'a'] } }],
  [{ op: 'not', part: { op: 'gt', path: 'n', value: 1 } }, { $nor: [{ 'd.n': { $gt: 1, ...itself } }] }],
  [{ op: 'like', path: 'n', text: 'aЖ%.' }, { 'd.n': { $regex: '[aA][жЖ]%\\.', ...itself } }],
  [
    { op: 'match', path: 'n', pieces: ['a*', '[b'], start: true, end: true },
    { 'd.n': { $regex: '^a\\*[\\s\\S]*\\[b\\z', ...itself } },
  ],
  [{ op: 'empty', path: 'n' }, { $or: [{ 'd.n': { $in: [null, ''], ...itself } }, { 'd.n': { $size: 0 } }] }],
  [{ op: 'has', path: 'n', value: 1 }, { 'd.n': { $elemMatch: { $eq: 1 } } }],
  [some('reference'), { 'd.author': { $in: ['7', 7, '07', 'x'], ...itself } }],
  [some('reference', '_id'), { _id: { $in: ['7', '07', 'x'] } }],
  [some('list'), { 'd.author': { $elemMatch: { $in: ['7', 7, '07', 'x'] } } }],
  [some('back'), { _id: { $in: ['7', '07', 'x'] } }],
  [
    {
      op: 'or',
      parts: [
        { op: 'eq', path: 'n', value: 1 },
        { op: 'or', parts: [{ op: 'in', path: 'n', values: [2, null] }] },
      ],
    },
    { $or: [{ 'd.n': { $in: [1, 2, null], ...itself } }] },
  ],
];

describe('filterToMongo', () => {
  for (const [filter, expected] of cases) {
    it(`compiles ${JSON.stringify(filter)}`, () => {
      const reached = new Map(filter.op === 'some' ? [[filter, ['7', '07', 'x']]] : []);
      expect(filterToMongo(filter, reached)).to.deep.equal(expected);
    });
  }

  it('refuses what cannot be an attribute, numbers that JSON does not have, and what is too long or too deep', () => {
    let deep: Filter = { op: 'eq', path: 'n', value: 1 };
    for (let level = 0; level < 10_000; level++) deep = { op: 'not', part: deep };
    const filters: Filter[] = [
      ...['', 'a"b', 'a\\', 'a\u0000', 'a\nb', '\ud800'].map((path): Filter => ({ op: 'eq', path, value: 1 })),
      { op: 'empty', path: '"' },
      { op: 'gt', path: 'n', value: Number.NaN },
      { op: 'in', path: 'n', values: [Infinity] },
      { op: 'match', path: 'n', pieces: ['x'.repeat(40_000)], start: false, end: false },
      { op: 'like', path: 'n', text: 'x'.repeat(40_000) },
      deep,
    ];
    for (const filter of filters) {
      expect(() => filterToMongo(filter, new Map()))
        .to.throw()
        .with.property('code', 'bad_request');
    }
  });
});
