import { expect } from 'chai';
import * as fc from 'fast-check';
import { mongo } from 'mongoose';
import type { Doc } from '../object-store.ts';
import { toBody, toStored, type StoredDocument } from './document.ts';

const roundTrip = (doc: Doc): Doc => {
  const bytes = mongo.BSON.serialize({ _id: 'a', r: 1, ...toBody(doc) });
  return toStored(mongo.BSON.deserialize(bytes) as StoredDocument).doc;
};
const plain = (doc: Doc): unknown => JSON.parse(JSON.stringify(doc));

describe('a document as MongoDB holds it', () => {
  it('comes back as JSON has it, whatever its names are', () => {
    const names = ['a', 'a.b', '$where', '$', 'a$b', '', '%', '%2E', '_bsontype', '__proto__', 'constructor', '$ref', '$id', '$db', 'toBSON', 'Ж']; // prettier-ignore
    const name = fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 4, unit: 'grapheme' }));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 0, -0, 1.5, 2 ** 40, 'x', '$x', ''),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 5 }), (doc) => {
        expect(roundTrip(doc as Doc)).to.deep.equal(plain(doc as Doc));
      }),
      { numRuns: 1_000 },
    );
  });

  it('has no field that is an operator, a path or a type of the driver', () => {
    const { d } = toBody({
      $set: 1,
      'a.b': 2,
      _bsontype: 'ObjectId',
      deep: { $ref: 'x', $id: 1, list: [{ 'x.y': 1 }] },
    });
    expect(
      JSON.stringify(d)
        .match(/"[^"]*"(?=:)/g)
        ?.join(' '),
    ).to.not.match(/"\$|\.|"_bsontype"/);
  });

  it('has only what is not null where an index looks', () => {
    expect(toBody({ a: null, b: 1, 'c.d': null })).to.deep.equal({ d: { b: 1 }, n: ['a', 'c.d'], e: false });
  });

  it('refuses what MongoDB cannot hold', () => {
    let deep: Doc = { a: 1 };
    for (let level = 0; level < 120; level++) deep = { a: deep };
    expect(() => toBody(deep))
      .to.throw()
      .with.property('code', 'bad_request');
    expect(() => toBody({ text: 'x'.repeat(17_000_000) }))
      .to.throw()
      .with.property('code', 'too_large');
    expect(toBody({ text: 'x'.repeat(6_000_000) }).d).to.have.property('text');
  });
});
