import { expect } from 'chai';
import { compileClasses } from './compile.ts';
import { defaultFor, assignedTo, isCounted } from './default-value.ts';
import { idOf, keyValues } from './key.ts';
import { limitFault } from './limits.ts';

const classOf = (key: readonly string[], properties: readonly object[]) =>
  compileClasses({ classes: [{ file: 'a', content: { name: 'a', key, properties } }], types: [] }, 'demo').classes.get(
    'a',
  )!;

const entry = classOf(
  ['register', 'year', 'no'],
  [
    { name: 'register', type: 0 },
    { name: 'year', type: 6 },
    { name: 'no', type: 6 },
  ],
);
const words = classOf(
  ['a', 'b'],
  [
    { name: 'a', type: 0 },
    { name: 'b', type: 0 },
  ],
);

describe('keys', () => {
  it('join the attributes with _, and are missing while one of them is', () => {
    expect(idOf(entry, { register: 'fin', year: 2025, no: 3 })).to.equal('fin_2025_3');
    expect(idOf(entry, { register: 'fin', year: 2025, no: null })).to.equal(undefined);
    expect(idOf(entry, { register: '', year: 2025, no: 1 })).to.equal(undefined);
    expect(idOf(classOf([], [{ name: 'x', type: 0 }]), { x: 'y' })).to.equal(undefined);
  });

  it('are divided by the types of their attributes', () => {
    expect(keyValues(entry, 'fin_a_2025_3')).to.deep.equal({ values: { register: 'fin_a', year: 2025, no: 3 } });
    expect(keyValues(entry, 'fin_2025')).to.have.property('fault');
    expect(keyValues(words, 'x_y')).to.deep.equal({ values: { a: 'x', b: 'y' } });
    expect(keyValues(words, 'x_y_z')).to.have.property('fault').that.contains('several');
  });

  it('have one form only: 05 is no key where the attribute is a number', () => {
    const numbered = classOf(['no'], [{ name: 'no', type: 6 }]);
    expect(keyValues(numbered, '5')).to.deep.equal({ values: { no: 5 } });
    expect(keyValues(numbered, '05')).to.have.property('fault');
    expect(keyValues(numbered, 'x')).to.have.property('fault');
  });
});

describe('defaults', () => {
  const from = {
    now: new Date('2025-10-03T08:00:00.000Z'),
    identity: 'demo@local',
    properties: { unit: 'fin', level: 3, empty: '' },
  };
  const property = (definition: object) => classOf(['x'], [{ name: 'x', ...definition }]).properties.get('x')!;
  const table: readonly (readonly [object, unknown])[] = [
    [{ type: 0 }, undefined],
    [{ type: 0, defaultValue: '' }, undefined],
    [{ type: 0, defaultValue: 'new' }, { value: 'new' }],
    [{ type: 0, defaultValue: 5 }, { value: '5' }],
    [{ type: 6, defaultValue: '5' }, { value: 5 }],
    [{ type: 10, defaultValue: 'false' }, { value: false }],
    [{ type: 10, defaultValue: false }, { value: false }],
    [{ type: 9, defaultValue: 'now' }, { value: '2025-10-03T08:00:00.000Z' }],
    [{ type: 0, defaultValue: 'now' }, { value: 'now' }],
    [{ type: 18, defaultValue: '$$uid' }, { value: 'demo@local' }],
    [{ type: 0, defaultValue: '$$unit' }, { value: 'fin' }],
    [{ type: 0, defaultValue: '$$level' }, { value: '3' }],
    [{ type: 0, defaultValue: '$$empty' }, undefined],
    [{ type: 0, defaultValue: '$$toString' }, undefined],
    [{ type: 15, defaultValue: ['a'] }, { value: ['a'] }],
    [{ type: 0, defaultValue: 'Unknown (word)' }, { value: 'Unknown (word)' }],
    [{ type: 0, defaultValue: 'foo(1)' }, undefined],
  ];
  for (const [definition, expected] of table) {
    it(`${JSON.stringify(definition)} gives ${JSON.stringify(expected)}`, () =>
      expect(defaultFor(property(definition), from)).to.deep.equal(expected));
  }

  it('may be formulas over the object', () => {
    const label = property({ type: 0, defaultValue: "concat($y, '!')" });
    const scope = { now: from.now, get: () => 'ho', items: () => undefined, next: () => null };
    expect(defaultFor(label, { ...from, scope })).to.deep.equal({ value: 'ho!' });
    expect(defaultFor(label, from)).to.equal(undefined);
  });

  it('assign UUIDs of version 7, moments, and numbers of a counter', () => {
    expect(assignedTo(property({ type: 12, autoassigned: true }), from.now)).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(assignedTo(property({ type: 9, autoassigned: true }), from.now)).to.equal('2025-10-03T08:00:00.000Z');
    expect(assignedTo(property({ type: 12 }), from.now)).to.equal(undefined);
    expect(isCounted(property({ type: 6, autoassigned: true }))).to.equal(true);
    expect(isCounted(property({ type: 6 }))).to.equal(false);
  });
});

describe('limits', () => {
  const limited = classOf(['k'], [
    { name: 'k', type: 0, size: 2 }, { name: 't', type: 0, size: 3 }, { name: 'g', type: 12, size: 1 }, { name: 'n', type: 6, size: 3 },
    { name: 'd', type: 8, size: 5, decimals: 2 }, { name: 'free', type: 0, size: 0 }, { name: 'r', type: 7, decimals: 1 },
  ]); // prettier-ignore
  const fault = (name: string, json: unknown) => {
    const property = limited.properties.get(name)!;
    const checked = property.type.toStored(json, property);
    return 'fault' in checked ? checked.fault : limitFault(property, checked.value, limited);
  };
  it('count characters and digits, but not of keys and guids', () => {
    expect(fault('t', 'abc')).to.equal(undefined);
    expect(fault('t', 'abcd')).to.contain('4 characters');
    expect(fault('t', '😀😀😀')).to.equal(undefined);
    expect(fault('k', 'long enough')).to.equal(undefined);
    expect(fault('g', 'long enough')).to.equal(undefined);
    expect(fault('n', -999)).to.equal(undefined);
    expect(fault('n', 1000)).to.contain('4 digits');
    expect(fault('d', '123.45')).to.equal(undefined);
    expect(fault('d', '1.234')).to.contain('3 decimals');
    expect(fault('d', '1234.56')).to.contain('6 digits');
    expect(fault('r', 0.25)).to.contain('2 decimals');
    expect(fault('free', 'as long as you like')).to.equal(undefined);
  });
});
