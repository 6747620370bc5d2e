import { expect } from 'chai';
import * as fc from 'fast-check';
import { AppError } from '#errors.ts';
import { openData, type Data } from '../../test/support/open-data.ts';

const types = { str: 0, txt: 1, html: 2, url: 3, int: 6, real: 7, dec: 8, at: 9, flag: 10, uid: 12, list: 15, who: 18, span: 60, geo: 100, plan: 210 }; // prettier-ignore
const everything = {
  name: 'everything',
  key: ['key'],
  properties: [
    { name: 'key', type: 0 },
    ...Object.entries(types).map(([name, type]) => ({ name, type, nullable: true })),
    { name: 'link', type: 13, refClass: 'everything', nullable: true },
    { name: 'links', type: 14, itemsClass: 'everything' },
  ],
};

const text = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((one) => !one.includes('\0'));
const filled = text.filter((one) => one !== '');
const date = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((one) => one.toISOString());
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const values = fc.record(
  {
    str: maybe(text),
    txt: maybe(text),
    html: maybe(text),
    url: maybe(text),
    int: maybe(fc.maxSafeInteger()),
    real: maybe(fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0)),
    dec: maybe(fc.integer({ min: -1e9, max: 1e9 }).map((one) => one / 100)),
    at: maybe(date),
    flag: maybe(fc.boolean()),
    uid: maybe(filled),
    list: fc.uniqueArray(fc.oneof(text, fc.integer(), fc.boolean()), { maxLength: 5 }),
    who: maybe(text),
    span: maybe(fc.tuple(date, date).map((both) => both.toSorted())),
    geo: maybe(fc.constant({ type: 'Point', coordinates: [37.6, 55.7] })),
  },
  { requiredKeys: [] },
);

describe('what is written', () => {
  let data: Data;
  before(async () => {
    data = await openData([everything]);
    await data.repo.create('everything', { key: 'target' });
  });
  after(() => data.close());

  it('is read back equal, whatever the types hold', async () => {
    await fc.assert(
      fc.asyncProperty(filled, values, async (key, given) => {
        const made = await data.repo.save('everything', undefined, {
          key: `k${key}`,
          ...given,
          link: 'target',
          links: ['target'],
        });
        const read = (await data.repo.get('everything', `k${key}`))!;
        expect(read.toJSON()).to.deep.equal(made.toJSON());
        expect(read.toJSON()).to.deep.include({ ...given, _id: `k${key}`, link: 'target' });
        expect(read.doc['links']).to.deep.equal(['target']);
      }),
      { numRuns: 150 },
    );
  });

  it('stays the same when an answer is sent back', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const made = await data.repo.save('everything', 'same', given);
        const again = await data.repo.save('everything', 'same', made.toJSON());
        expect(again.toJSON()).to.deep.equal(made.toJSON());
      }),
      { numRuns: 100 },
    );
  });

  it('is what was sent or a refusal, for any JSON in any attribute', async () => {
    const names = ['key', ...Object.keys(types), 'link', 'links', '__proto__', '_class', '_id', 'str.x', '$where'];
    const json = fc.jsonValue({ maxDepth: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), json, async (name, value) => {
        const sent = JSON.parse(`{"key":"any","str":"s",${JSON.stringify(name)}:${JSON.stringify(value)}}`) as Record<
          string,
          unknown
        >;
        const before = await data.repo.count('everything');
        const made = await data.repo.create('everything', sent).catch((error: unknown) => error);
        if (made instanceof AppError) {
          expect(made.code).to.equal('invalid');
          expect(await data.repo.count('everything')).to.equal(before);
          return;
        }
        const { id, doc } = made as { id: string; doc: object };
        expect(Object.keys(doc).filter((one) => !['_class', '_creator', '_editor'].includes(one))).to.satisfy(
          (kept: string[]) => kept.every((one) => one === 'key' || one in types || one.startsWith('link')),
        );
        expect((doc as { _class: string })._class).to.equal('everything@demo');
        await data.repo.remove('everything', id);
      }),
      { numRuns: 300 },
    );
  });
});
