import { expect } from 'chai';
import * as fc from 'fast-check';
import { compileClasses } from '../compile.ts';
import type { Property } from '../property.ts';
import { fromSortable, toSortable } from './decimal-text.ts';
import { propertyTypes, typeOfCode } from './index.ts';

const { classes } = compileClasses(
  {
    classes: [
      {
        file: 'all',
        content: {
          name: 'all',
          key: ['k6'],
          properties: [
            ...Object.values(propertyTypes).map(({ code }) => ({
              name: `k${code}`,
              type: code,
              refClass: 'all',
              itemsClass: 'all',
            })),
            { name: 'byText', type: 13, refClass: 'other' },
          ],
        },
      },
      { file: 'other', content: { name: 'other', key: ['code'], properties: [{ name: 'code', type: 0 }] } },
    ],
    types: [],
  },
  'demo',
);
const property = (name: string): Property => classes.get('all')!.properties.get(name)!;

/** Stored form of a JSON value, and the JSON form of that. */
function there(name: string, json: unknown): { stored: unknown } | { fault: string } {
  const one = property(name);
  const checked = one.type.toStored(json, one);
  return 'fault' in checked ? checked : { stored: checked.value };
}
function back(name: string, json: unknown): unknown {
  const one = property(name);
  const checked = one.type.toStored(json, one);
  if ('fault' in checked) throw new Error(`${name}: ${checked.fault}`);
  return one.type.toJson(checked.value, one);
}

const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0') && one.isWellFormed());
const moment = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const decimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 25 }))
  .map(([negative, digits, places]) => {
    const padded = digits.toString().padStart(places + 1, '0');
    const point = padded.length - places;
    return `${negative ? '-' : ''}${padded.slice(0, point)}${places > 0 ? `.${padded.slice(point)}` : ''}`;
  });

const samples: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  k0: text,
  k1: text,
  k2: text,
  k3: text,
  k18: text,
  k12: text.filter((one) => one !== ''),
  k6: fc.maxSafeInteger(),
  k7: fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (one === 0 ? 0 : one)),
  k9: moment,
  k10: fc.boolean(),
  k13: fc.maxSafeInteger(),
  byText: text.filter((one) => one !== ''),
  k14: fc.uniqueArray(fc.maxSafeInteger()),
  k15: fc.uniqueArray(fc.oneof(text, fc.integer(), fc.boolean())),
  k60: fc.tuple(moment, moment).map((ends) => ends.sort()),
  k100: fc.tuple(fc.integer(), fc.integer()).map((coordinates) => ({ type: 'Point', coordinates })),
  k210: fc.dictionary(fc.stringMatching(/^[a-z]{3,6}$/), fc.array(text)),
};

describe('property types', () => {
  it('know all 23 codes and no other', () => {
    const codes = Object.values(propertyTypes).map(({ code }) => code);
    expect(codes.sort((a, b) => a - b)).to.deep.equal([...Array(19).keys(), 60, 100, 110, 210]);
    expect(codes.map((code) => typeOfCode(code)?.code)).to.deep.equal(codes);
    expect(typeOfCode(19)).to.equal(undefined);
  });

  for (const [name, arbitrary] of Object.entries(samples)) {
    it(`give back what they were given, and the same again: ${name}`, () => {
      fc.assert(
        fc.property(arbitrary, (json) => {
          const once = back(name, json);
          expect(once).to.deep.equal(json);
          expect(back(name, once)).to.deep.equal(once);
        }),
      );
    });
  }

  const refused: readonly (readonly [string, readonly unknown[]])[] = [
    ['k0', [5, true, {}, ['a'], 'a\0b', '\ud800']],
    ['k6', ['x', '', ' 1', '1 ', 1.5, '1.5', 2 ** 53, true, [1], { $gt: 1 }, '0x10', 'Infinity']],
    ['k7', ['x', '', '1,5', Number.POSITIVE_INFINITY, Number.NaN, [1]]],
    ['k8', ['x', '', '1,5', '1e99999', true, '1'.repeat(300)]],
    [
      'k9',
      [
        'x',
        '',
        0,
        '2025-02-30',
        '2025-13-01',
        '2025-01-01T25:00',
        '03.10.2025',
        '2025-01-01T00:00:00+99:00',
        new Date(Number.NaN),
      ],
    ],
    ['k10', ['yes', 1, 0, '', 'TRUE', [true]]],
    ['k12', ['', 5]],
    ['k13', ['', 'abc', '1.5', true, { _id: '1' }, ['1']]],
    ['byText', ['', true, {}, []]],
    ['k14', ['1', 1, [''], [{}], ['abc']]],
    ['k15', ['a', [{}], [null], [[1]]]],
    ['k60', [['2025-01-02', '2025-01-01'], ['2025-01-01'], 'x', [1, 2]]],
    [
      'k100',
      [
        {},
        { type: 'Spot', coordinates: [1, 2] },
        { type: 'Point' },
        { type: 'Point', coordinates: ['a'] },
        [1, 2],
        'x',
      ],
    ],
    ['k210', ['x', 5, { 'a.b': 1 }, { $where: 'x' }, JSON.parse('{"__proto__": 1}') as unknown]],
    ['k5', ['abc', { hash: 'abc', name: 'x', size: 1, type: 'a/b' }]],
    ['k110', [[{ hash: 'abc', name: 'x', size: 1, type: 'a/b' }]]],
  ];
  for (const [name, values] of refused) {
    it(`refuse what is not of the type: ${name}`, () => {
      for (const value of values) expect(there(name, value), JSON.stringify(value)).to.have.property('fault');
    });
  }

  it('read numbers, truth values and dates from text, as forms send them', () => {
    expect(there('k6', '-42')).to.deep.equal({ stored: -42 });
    expect(there('k7', '1e3')).to.deep.equal({ stored: 1000 });
    expect(back('k8', '12.50')).to.equal(12.5);
    expect(there('k10', 'false')).to.deep.equal({ stored: false });
    expect(there('k9', '2025-10-03')).to.deep.equal({ stored: '2025-10-03T00:00:00.000Z' });
  });

  it('keep dates in UTC, whatever zone they came in; without one they are UTC', () => {
    expect(there('k9', '2025-10-03T10:00+02:00')).to.deep.equal({ stored: '2025-10-03T08:00:00.000Z' });
    expect(there('k9', '2025-10-03T08:00')).to.deep.equal({ stored: '2025-10-03T08:00:00.000Z' });
    expect(there('k9', new Date('2025-10-03T08:00:00Z'))).to.deep.equal({ stored: '2025-10-03T08:00:00.000Z' });
    expect(property('k9').type.toText('2025-10-03T08:05:30.000Z', property('k9'))).to.equal('2025-10-03 08:05');
  });

  it('store a reference as the id of its target and answer it in the type of the key', () => {
    expect(there('k13', '7')).to.deep.equal({ stored: '7' });
    expect(back('k13', '7')).to.equal(7);
    expect(back('byText', 7)).to.equal('7');
  });

  it('never show a password', () => {
    expect(back('k11', 'sesame')).to.equal(null);
    expect(property('k11').type.toText('sesame', property('k11'))).to.equal('');
  });
});

describe('decimals', () => {
  const exact = (written: string): bigint => {
    const [whole, fraction = ''] = written.replace('-', '').split('.');
    return BigInt(`${written.startsWith('-') ? '-' : ''}${whole}${fraction.padEnd(25, '0')}`);
  };

  it('are stored as text whose order is the numeric order', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const [x, y] = [toSortable(a)!, toSortable(b)!];
        const order = exact(a) < exact(b) ? -1 : exact(a) > exact(b) ? 1 : 0;
        expect(x < y ? -1 : x > y ? 1 : 0).to.equal(order);
      }),
      { numRuns: 2000 },
    );
  });

  it('lose no digit', () => {
    fc.assert(
      fc.property(decimal, (written) => {
        expect(exact(fromSortable(toSortable(written)!))).to.equal(exact(written));
        expect(back('k8', back('k8', written))).to.equal(back('k8', written));
      }),
    );
  });

  it('are JSON numbers where those say the same, else text', () => {
    expect(back('k8', '0.10')).to.equal(0.1);
    expect(back('k8', '-1250')).to.equal(-1250);
    expect(back('k8', '12345678901234567890.12')).to.equal('12345678901234567890.12');
    expect(back('k8', '-0')).to.equal(0);
    expect(back('k8', 1e21)).to.equal(1e21);
  });
});
