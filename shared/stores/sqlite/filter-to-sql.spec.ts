import { expect } from 'chai';
import type { Filter } from '#query/filter.ts';
import { filterToSql } from './filter-to-sql.ts';

const tableOf = (collection: string): string | undefined => (collection === 'authors' ? 'objects_2' : undefined);
const n = `doc ->> '$."n"'`;
const reach = { path: 'author', collection: 'authors' };
const part: Filter = { op: 'eq', path: 'name', value: 'x' };
const named = `from objects_2 where doc ->> '$."name"' = (? ->> '$')`;

const cases: readonly (readonly [Filter, string, readonly unknown[]])[] = [
  [{ op: 'all' }, '1', []],
  [{ op: 'and', parts: [] }, '1', []],
  [{ op: 'or', parts: [] }, '0', []],
  [{ op: 'eq', path: 'n', value: null }, `${n} is null`, []],
  [{ op: 'eq', path: 'n', value: `'; drop` }, `${n} = (? ->> '$')`, [`"'; drop"`]],
  [{ op: 'eq', path: 'n', value: true }, `${n} = (? ->> '$')`, ['true']],
  [{ op: 'eq', path: '_id', value: 5 }, 'id = ?', ['5']],
  [{ op: 'eq', path: `it's`, value: 1 }, `doc ->> '$."it''s"' = (? ->> '$')`, ['1']],
  [{ op: 'eq', path: 'a.b$c', value: 1 }, `doc ->> '$."a.b$c"' = (? ->> '$')`, ['1']],
  [{ op: 'lt', path: 'n', value: 5 }, `${n} < (? ->> '$')`, ['5']],
  [{ op: 'gte', path: 'n', value: 5 }, `(${n} >= (? ->> '$') and ${n} < '')`, ['5']],
  [{ op: 'lte', path: 'n', value: 'x' }, `(${n} <= (? ->> '$') and ${n} >= '')`, ['"x"']],
  [{ op: 'gt', path: 'n', value: 'x' }, `${n} > (? ->> '$')`, ['"x"']],
  [{ op: 'in', path: 'n', values: [1, 'x'] }, `${n} in (select value from json_each(?))`, ['[1,"x"]']],
  [{ op: 'in', path: 'n', values: [1] }, `${n} = (? ->> '$')`, ['1']],
  [
    { op: 'in', path: 'n', values: [1, 2, null] },
    `(${n} in (select value from json_each(?)) or ${n} is null)`,
    ['[1,2]'],
  ],
  [{ op: 'not', part: { op: 'eq', path: 'n', value: 1 } }, `not ifnull(${n} = (? ->> '$'), 0)`, ['1']],
  [{ op: 'like', path: 'n', text: 'Война%' }, `instr(fold(${n}), ?) > 0`, ['война%']],
  [
    { op: 'match', path: 'n', pieces: ['a*', '[b'], start: true, end: false },
    `(${n} < (? ->> '$') and (${n} >= (? ->> '$') and ${n} glob ?))`,
    ['"a+"', '"a*"', 'a[*]*[[]b*'],
  ],
  [
    { op: 'match', path: 'n', pieces: ['a'], start: false, end: true },
    `(${n} >= (? ->> '$') and ${n} glob ?)`,
    ['""', '*a'],
  ],
  [
    { op: 'has', path: 'n', value: 1 },
    `(json_type(doc, '$."n"') = 'array' and exists (select 1 from json_each(doc, '$."n"') where atom = (? ->> '$')))`,
    ['1'],
  ],
  [
    { op: 'some', reach: { kind: 'back', ...reach }, part },
    `id in (select cast(doc ->> '$."author"' as text) ${named})`,
    ['"x"'],
  ],
  [
    { op: 'some', reach: { kind: 'list', ...reach }, part },
    `(json_type(doc, '$."author"') = 'array' and exists (select 1 from json_each(doc, '$."author"')` +
      ` where cast(atom as text) in (select id ${named})))`,
    ['"x"'],
  ],
  [{ op: 'some', reach: { kind: 'list', path: 'author', collection: 'nowhere' }, part }, '0', []],
  [
    {
      op: 'or',
      parts: [
        { op: 'eq', path: 'n', value: 1 },
        { op: 'or', parts: [{ op: 'in', path: 'n', values: [2, null] }] },
      ],
    },
    `(${n} in (select value from json_each(?)) or ${n} is null)`,
    ['[1,2]'],
  ],
];

describe('filterToSql', () => {
  for (const [filter, text, values] of cases) {
    it(`compiles ${JSON.stringify(filter)}`, () => {
      expect(filterToSql(filter, tableOf)).to.deep.equal({ text, values });
    });
  }

  it('refuses names that could leave their quotes, and numbers that JSON does not have', () => {
    const filters: Filter[] = [
      ...['', 'a"b', 'a\\', 'a\u0000', 'a\nb', '\ud800'].map((path): Filter => ({ op: 'eq', path, value: 1 })),
      { op: 'empty', path: '"' },
      { op: 'has', path: '"', value: 1 },
      { op: 'some', reach: { kind: 'back', path: '"', collection: 'authors' }, part },
      { op: 'gt', path: 'n', value: Number.NaN },
      { op: 'eq', path: 'n', value: Infinity },
      { op: 'match', path: 'n', pieces: ['x'.repeat(60_000)], start: false, end: false },
      { op: 'match', path: 'n', pieces: ['a\u0000'], start: false, end: false },
    ];
    for (const filter of filters) {
      expect(() => filterToSql(filter, tableOf), JSON.stringify(filter))
        .to.throw()
        .with.property('code', 'bad_request');
    }
  });
});
