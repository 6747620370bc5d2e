import { expect } from 'chai';
import { compileClasses } from '#meta/compile.ts';
import { choiceFault, choicesFor, selectionFaults } from './choices.ts';
import { all, type Filter } from './filter.ts';
import { matches } from './matches.ts';
import { narrowReached, reachedBy } from './narrow.ts';

const object = {
  id: 'k',
  doc: { name: 'Ledger', other: 'ДЕЛО', pages: 5, none: null, tags: ['x'], nothing: [], shelf: '7' },
};
const reach = { kind: 'reference', path: 'shelf', collection: 'shelf', target: 'shelf@demo' } as const;
const holds = (filter: Filter) => matches(filter, object, () => [{ id: '7', doc: { room: 'east' } }]);

describe('filters in memory', () => {
  const table: readonly (readonly [Filter, boolean])[] = [
    [{ op: 'all' }, true],
    [{ op: 'or', parts: [] }, false],
    [{ op: 'and', parts: [] }, true],
    [{ op: 'eq', path: 'name', value: 'Ledger' }, true],
    [{ op: 'eq', path: 'name', value: 'ledger' }, false],
    [{ op: 'eq', path: 'gone', value: null }, true],
    [{ op: 'eq', path: 'constructor', value: null }, true],
    [{ op: 'eq', path: '_id', value: 'k' }, true],
    [{ op: 'not', part: { op: 'eq', path: 'none', value: 'x' } }, true],
    [{ op: 'lt', path: 'pages', value: 6 }, true],
    [{ op: 'lt', path: 'none', value: 6 }, false],
    [{ op: 'gte', path: 'pages', value: 5 }, true],
    [{ op: 'gt', path: 'name', value: 5 }, false],
    [{ op: 'in', path: 'name', values: ['a', 'Ledger'] }, true],
    [{ op: 'in', path: 'none', values: [null] }, true],
    [{ op: 'like', path: 'other', text: 'дел' }, true],
    [{ op: 'like', path: 'pages', text: '5' }, false],
    [{ op: 'empty', path: 'none' }, true],
    [{ op: 'empty', path: 'nothing' }, true],
    [{ op: 'empty', path: 'pages' }, false],
    [{ op: 'has', path: 'tags', value: 'x' }, true],
    [{ op: 'has', path: 'name', value: 'L' }, false],
    [{ op: 'match', path: 'name', pieces: ['Le', 'er'], start: true, end: true }, true],
    [{ op: 'match', path: 'name', pieces: ['edge'], start: false, end: false }, true],
    [{ op: 'match', path: 'name', pieces: ['edge'], start: true, end: false }, false],
    [{ op: 'match', path: 'name', pieces: ['Led'], start: true, end: true }, false],
    [{ op: 'match', path: 'name', pieces: ['Ledger', 'r'], start: false, end: true }, false],
    [{ op: 'some', reach, part: { op: 'eq', path: 'room', value: 'east' } }, true],
    [{ op: 'some', reach, part: { op: 'eq', path: 'room', value: 'west' } }, false],
  ];
  for (const [filter, expected] of table) {
    it(`${JSON.stringify(filter)} ${expected ? 'holds' : 'does not hold'}`, () =>
      expect(holds(filter)).to.equal(expected));
  }
});

describe('narrowing what a filter reaches', () => {
  it('adds a condition at every place where another class is asked, also under not', () => {
    const asked: Filter = {
      op: 'not',
      part: { op: 'some', reach, part: { op: 'some', reach: { ...reach, target: 'room@demo' }, part: all } },
    };
    expect(reachedBy(asked)).to.deep.equal(['shelf@demo', 'room@demo']);
    const narrowed = narrowReached(asked, (target) => ({ op: 'eq', path: 'may', value: target }));
    expect(narrowed).to.deep.equal({
      op: 'not',
      part: {
        op: 'some',
        reach,
        part: {
          op: 'and',
          parts: [
            { op: 'eq', path: 'may', value: 'shelf@demo' },
            {
              op: 'some',
              reach: { ...reach, target: 'room@demo' },
              part: { op: 'eq', path: 'may', value: 'room@demo' },
            },
          ],
        },
      },
    });
  });
});

describe('selection lists', () => {
  const row = (operation: number, key: string) => ({
    conditions: [{ property: 'pages', operation, value: [5] }],
    result: [
      { key, value: key },
      { key: 'both', value: 'Both' },
    ],
  });
  const { classes } = compileClasses(
    {
      classes: [
        {
          file: 'a',
          content: {
            name: 'a',
            key: ['pages'],
            properties: [
              { name: 'pages', type: 6 },
              {
                name: 'size',
                type: 0,
                selectionProvider: {
                  type: 'MATRIX',
                  matrix: [
                    row(5, 'small'),
                    row(8, 'large'),
                    { conditions: null, result: [{ key: 'any', value: 'Any' }] },
                  ],
                },
              },
              {
                name: 'bad',
                type: 0,
                selectionProvider: {
                  type: 'MATRIX',
                  matrix: [
                    { conditions: [{ property: 'gone', operation: 0, value: 1 }], result: [{ key: 'x', value: 'x' }] },
                  ],
                },
              },
            ],
          },
        },
      ],
      types: [],
    },
    'demo',
  );
  const a = classes.get('a')!;
  const keys = (name: string, pages: number) =>
    choicesFor(a.properties.get(name)!, a, classes, { id: '1', doc: { pages } }).map(({ key }) => key);

  it('of a matrix offer the union of the rows that hold', () => {
    expect(keys('size', 4)).to.deep.equal(['small', 'both', 'any']);
    expect(keys('size', 5)).to.deep.equal(['large', 'both', 'any']);
  });

  it('never offer a row whose condition cannot be read, and say so at start', () => {
    expect(keys('bad', 5)).to.deep.equal([]);
    expect(selectionFaults(classes)).to.have.length(1);
    expect(selectionFaults(classes)[0]).to.contain('a@demo').and.contain('bad').and.contain('gone');
  });

  it('compare keys as text, let null and empty text pass, and look at every member of a list', () => {
    const choices = [{ key: '1', caption: 'One' }];
    for (const json of [1, '1', null, '', ['1'], []])
      expect(choiceFault(json, choices), JSON.stringify(json)).to.equal(undefined);
    for (const json of [2, '01', ['1', '2'], true])
      expect(choiceFault(json, choices), JSON.stringify(json)).to.contain('1');
  });
});
