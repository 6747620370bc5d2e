import { expect } from 'chai';
import type { Scope } from './class.ts';
import { compileFormula } from './formula.ts';

const now = new Date('2025-10-03T08:00:00.000Z');

/** A scope over plain values: objects inside are references, lists of objects are collections. */
function scopeOf(values: Readonly<Record<string, unknown>>): Scope {
  const get = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>(
        (at, name) =>
          typeof at === 'object' && at !== null && Object.hasOwn(at, name)
            ? (at as Record<string, unknown>)[name]
            : null,
        values,
      );
  return {
    now,
    get,
    items: (path) => {
      const list = get(path);
      const isCollection = Array.isArray(list) && list.every((one) => typeof one === 'object');
      return isCollection ? (list as Record<string, unknown>[]).map(scopeOf) : undefined;
    },
    next: (sequence) => (sequence === 'bills' ? 7 : null),
  };
}

const object = scopeOf({
  a: 6, b: 4, none: null, name: 'Ledger', other: 'ДЕЛО', flag: true, tags: ['x', 'y'],
  since: '2025-10-01T08:00:00.000Z', ref: { name: 'Finance', boss: { name: 'Chief' } },
  items: [{ n: 1, kind: 'p' }, { n: 2.5, kind: 'q' }, { n: null, kind: 'p' }], nothing: [],
}); // prettier-ignore

const value = (raw: unknown): unknown => compileFormula(raw).evaluate(object);

describe('formulas', () => {
  const table: readonly (readonly [unknown, unknown])[] = [
    [{ add: ['$a', '$b', 1] }, 11],
    [{ add: [0.1, 0.2] }, 0.3],
    [{ sub: ['$a', '$b'] }, 2],
    [{ mul: ['$a', '$b'] }, 24],
    [{ div: ['$a', '$b'] }, 1.5],
    [{ div: ['$a', '$none'] }, null],
    [{ add: ['$a', '$none'] }, 6],
    [{ add: ['$a', '$name'] }, null],
    [{ round: [2.345, 2] }, 2.35],
    [{ round: [-2.5] }, -3],
    [{ eq: ['$a', 6] }, true],
    [{ eq: ['$a', '6'] }, true],
    [{ eq: ['$none', null] }, true],
    [{ ne: ['$name', 'Ledger'] }, false],
    [{ lt: ['$b', '$a'] }, true],
    [{ lte: ['$a', 6] }, true],
    [{ gt: ['$none', 0] }, false],
    [{ gte: ['$since', '2025-01-01'] }, true],
    [{ and: ['$flag', { gt: ['$a', 5] }] }, true],
    [{ or: [{ lt: ['$a', 5] }, { empty: ['$none'] }] }, true],
    [{ not: [{ empty: '$none' }] }, false],
    [{ nempty: ['$nothing'] }, false],
    [{ if: [{ gt: ['$a', 5] }, 'many', 'few'] }, 'many'],
    [{ if: ['$none', 'yes'] }, null],
    [{ in: ['$name', ['Ledger', 'x']] }, true],
    [{ in: ['$name', 'x', 'Ledger'] }, true],
    [{ like: ['$other', 'дел'] }, true],
    [{ contains: ['$name', 'edg'] }, true],
    [{ contains: ['$tags', 'y'] }, true],
    [{ contains: ['$items', { gt: ['$n', 2] }] }, true],
    [{ contains: ['$items', { gt: ['$n', 3] }] }, false],
    [{ concat: ['$name', ' ', '$none', '$a'] }, 'Ledger 6'],
    [{ substr: ['$name', 1, 3] }, 'edg'],
    [{ substr: ['$name', 3] }, 'ger'],
    [{ upper: ['$ref.name'] }, 'FINANCE'],
    [{ lower: ['$other'] }, 'дело'],
    [{ now: [] }, '2025-10-03T08:00:00.000Z'],
    [{ date: ['2025-10-03'] }, '2025-10-03T00:00:00.000Z'],
    [{ date: ['no date'] }, null],
    [{ dateAdd: ['$since', 2, 'd'] }, '2025-10-03T08:00:00.000Z'],
    [{ dateAdd: ['$since', 1, 'months'] }, '2025-11-01T08:00:00.000Z'],
    [{ dateDiff: ['d', { now: [] }, '$since'] }, 2],
    [{ dateDiff: ['$since', 'now', 'hours'] }, -48],
    [{ dateFormat: ['$since', 'DD.MM.YYYY'] }, '01.10.2025'],
    [{ count: ['$items'] }, 3],
    [{ count: ['$items', { eq: ['$kind', 'p'] }] }, 2],
    [{ sum: ['$items', 'n'] }, 3.5],
    [{ sum: ['$items.n'] }, 3.5],
    [{ sum: ['$items', '$n', { eq: ['$kind', 'p'] }] }, 1],
    [{ sum: ['$items', { mul: ['$n', 2] }] }, 7],
    [{ sum: ['$a', '$b'] }, 10],
    [{ sum: ['$nothing', 'n'] }, 0],
    [{ avg: ['$items', 'n'] }, 1.75],
    [{ min: ['$items', 'n'] }, 1],
    [{ max: ['$items', 'n'] }, 2.5],
    [{ max: ['$a', '$b'] }, 6],
    [{ avg: ['$nothing', 'n'] }, null],
    [{ get: ['$ref', 'name'] }, 'Finance'],
    [{ get: ['$ref.boss.name'] }, 'Chief'],
    [{ size: ['$items'] }, 3],
    [{ size: ['$name'] }, 6],
    [{ next: ['bills'] }, 7],
    ['$ref.name', 'Finance'],
    ["concat($name, ' (', upper($ref.name), ')')", 'Ledger (FINANCE)'],
    ['if(gt($a, 5), sum($items, n), -1)', 3.5],
    ['now()', '2025-10-03T08:00:00.000Z'],
  ];
  for (const [raw, expected] of table) {
    it(`${typeof raw === 'string' ? raw : JSON.stringify(raw)} is ${JSON.stringify(expected)}`, () => {
      expect(compileFormula(raw).misunderstood).to.equal(undefined);
      expect(value(raw)).to.deep.equal(expected);
    });
  }

  it('take a text that begins with $ in a value for text, never for an attribute', () => {
    expect(compileFormula({ concat: ['$evil'] }).evaluate(scopeOf({ evil: '$secret', secret: 'x' }))).to.equal(
      '$secret',
    );
  });

  const odd: readonly unknown[] = [
    { foo: [1] }, { add: ['$a'], sub: [1] }, { eq: ['$a'] }, { constructor: [1] }, { sum: ['class@ns', 'n'] },
    'foo($a)', 'add($a', 'add($a))', '5', 5, {}, [], 'a; b(',
  ]; // prettier-ignore
  for (const raw of odd) {
    it(`${JSON.stringify(raw)} is not understood: null, and a reason`, () => {
      expect(compileFormula(raw).misunderstood).to.be.a('string').with.length.greaterThan(5);
      expect(value(raw)).to.equal(null);
    });
  }

  it('name the paths and sequences they read', () => {
    const formula = compileFormula({
      concat: ['$ref.name', { sum: ['$items', 'n', { eq: ['$kind', '$a'] }] }, { next: ['bills'] }],
    });
    expect(formula.paths).to.include.members(['ref.name', 'items', 'items.n', 'items.kind']);
    expect(formula.sequences).to.deep.equal(['bills']);
  });
});
