import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseIni } from './ini.ts';
import { merge, valueAt } from './merge.ts';
import { lookupIn, replacePlaceholders, typed } from './placeholders.ts';

const iniLookup = (text: string) => (name: string) => {
  const values = parseIni(text);
  return valueAt(values, [name]) ?? valueAt(values, name.split('.'));
};

describe('placeholders', () => {
  const replace = (tree: unknown, env: Record<string, string>, ini = '') =>
    replacePlaceholders(tree, lookupIn(env, iniLookup(ini)));

  it('looks in the environment as a.b, then as A_B, then in the ini files', () => {
    const tree = ['[[a.b]]'];
    expect(replace(tree, { 'a.b': '1st', A_B: '2nd' }, 'a.b=3rd').tree).to.deep.equal(['1st']);
    expect(replace(tree, { A_B: '2nd' }, 'a.b=3rd').tree).to.deep.equal(['2nd']);
    expect(replace(tree, {}, 'a.b=3rd').tree).to.deep.equal(['3rd']);
    expect(replace(tree, {}, '[a]\nb=4th').tree).to.deep.equal(['4th']);
  });

  it('types whole values and keeps the text of parts', () => {
    const env = { A: 'true', B: '8080', C: '007', D: '-1.5', E: '12345678901234567890' };
    expect(replace({ a: '[[a]]', b: '[[b]]', c: '[[c]]', d: '[[d]]', e: '[[e]]', f: ':[[b]]/[[a]]' }, env).tree).to.deep.equal({
      a: true, b: 8080, c: '007', d: -1.5, e: '12345678901234567890', f: ':8080/true',
    }); // prettier-ignore
  });

  it('puts a list of the ini file where a whole string stood', () => {
    expect(replace({ x: '[[a.b]]' }, {}, 'a.b[]=one\na.b[]=2').tree).to.deep.equal({ x: ['one', 2] });
  });

  it('drops a key or list element without a value, empties it in a text, and names all that are missing once', () => {
    const { tree, unresolved } = replace(
      { k: '[[no]]', l: ['[[no.2]]', 'x'], t: '<[[no]]>', n: null, s: { k: '[[no]]' } },
      {},
    );
    expect(tree).to.deep.equal({ l: ['x'], t: '<>', n: null, s: {} });
    expect(unresolved).to.deep.equal(['no', 'no.2']);
  });

  it('leaves any tree without placeholders as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (tree) => {
        fc.pre(!JSON.stringify(tree).includes('[['));
        expect(replace(tree, { A: 'x' })).to.deep.equal({ tree, unresolved: [] });
      }),
    );
  });

  it('types text as a number only where both say the same', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', 'e') }));
    fc.assert(
      fc.property(text, (one) => {
        const value = typed(one);
        expect(typeof value === 'number' ? Number(one) : String(value)).to.equal(
          value === true || value === false ? one : value,
        );
      }),
    );
    fc.assert(fc.property(fc.integer(), (value) => expect(typed(String(value))).to.equal(value) && true));
  });
});

describe('merge', () => {
  it('keeps what only one side has, prefers the second, and changes neither', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (a, b) => {
        const before = JSON.stringify([a, b]);
        const both = merge(a, b, 'replace');
        for (const name of Object.keys(a))
          if (!Object.hasOwn(b, name)) expect(valueAt(both, [name])).to.deep.equal(a[name]);
        expect(merge(both, b, 'replace')).to.deep.equal(both);
        expect(merge({}, a, 'append')).to.deep.equal(a);
        expect(JSON.stringify([a, b])).to.equal(before);
      }),
    );
  });

  it('does not reach prototypes', () => {
    merge({}, JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'), 'append');
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });
});
