import { expect } from 'chai';
import { AppError } from '#errors.ts';
import { compileClasses } from '#meta/compile.ts';
import { parseEager, parseFields } from './attribute-lists.ts';
import { keySort, parseSort } from './sort.ts';

const { classes } = compileClasses(
  {
    classes: [
      {
        file: 'a',
        content: {
          name: 'a',
          key: ['no'],
          properties: [
            { name: 'no', type: 6 }, { name: 'name', type: 0, selectionProvider: { type: 'SIMPLE', list: [{ key: 'x', value: 'X' }] } },
            { name: 'b', type: 13, refClass: 'b' }, { name: 'bs', type: 14, itemsClass: 'b' }, { name: 'word', type: 11 },
            { name: 'now', type: 9, formula: { now: [] } },
          ],
        },
      },
      { file: 'b', content: { name: 'b', key: ['x', 'y'], properties: [{ name: 'x', type: 0 }, { name: 'y', type: 0 }] } },
      { file: 'c', content: { name: 'c', ancestor: 'b', properties: [{ name: 'up', type: 13, refClass: 'a' }] } },
    ],
    types: [],
  },
  'demo',
); // prettier-ignore
const a = classes.get('a')!;

describe('sort orders', () => {
  it('are read from text and from a map', () => {
    const order = [
      { path: 'name', descending: true },
      { path: 'b', descending: false },
    ];
    expect(parseSort('-name,b', a)).to.deep.equal(order);
    expect(parseSort({ name: -1, b: 1 }, a)).to.deep.equal(order);
    expect(parseSort(['-name', 'b'], a)).to.deep.equal(order);
    for (const none of ['', null, undefined, {}]) expect(parseSort(none, a)).to.deep.equal([]);
  });

  it('follow the key’s attributes, so that 9 comes before 10', () => {
    expect(keySort(a)).to.deep.equal([{ path: 'no', descending: false }]);
    expect(parseSort('-_id', a)).to.deep.equal([{ path: 'no', descending: true }]);
    expect(parseSort('id', classes.get('b')!)).to.deep.equal([
      { path: 'x', descending: false },
      { path: 'y', descending: false },
    ]);
  });

  it('are a 400 on what has no order', () => {
    for (const raw of [
      'gone',
      'bs',
      'word',
      'now',
      'b.x',
      '$where',
      '__proto__',
      { name: 2 },
      { name: { $gt: 1 } },
      5,
      [{ name: 1 }],
      ',',
    ]) {
      expect(() => parseSort(raw, a), JSON.stringify(raw))
        .to.throw(AppError)
        .with.property('status', 400);
    }
  });
});

describe('attributes to answer', () => {
  it('are names of the class; what every object has is let through', () => {
    expect(parseFields('name, no', a)).to.deep.equal(['name', 'no']);
    expect(parseFields(['name', 'no'], a)).to.deep.equal(['name', 'no']);
    expect(parseFields('name,_id,__string,name_str', a)).to.deep.equal(['name']);
    expect(parseFields('', a)).to.equal(undefined);
    expect(() => parseFields('gone', a)).to.throw(AppError);
    expect(() => parseFields({ name: 1 }, a)).to.throw(AppError);
  });
});

describe('paths to load', () => {
  it('are read from text, a list and a list of lists', () => {
    const paths = [['b', 'up'], ['bs']];
    expect(parseEager('b.up|bs', a, classes)).to.deep.equal(paths);
    expect(parseEager(['b.up', 'bs'], a, classes)).to.deep.equal(paths);
    expect(parseEager([['b', 'up'], ['bs']], a, classes)).to.deep.equal(paths);
    expect(parseEager(undefined, a, classes)).to.deep.equal([]);
  });

  it('are a 400 where they lead nowhere', () => {
    for (const raw of ['gone', 'name', 'b.x', 'b.up.name', { b: 1 }, [[5]], [['b', '__proto__']]]) {
      expect(() => parseEager(raw, a, classes), JSON.stringify(raw))
        .to.throw(AppError)
        .with.property('status', 400);
    }
  });
});
