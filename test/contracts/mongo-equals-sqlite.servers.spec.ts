import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Doc, ObjectStore, Stored } from '#stores/object-store.ts';
import { evaluateFilter } from '../support/evaluate-filter.ts';
import { serverUrl } from '../support/servers/index.ts';
import { mongoPlace } from './mongo-place.ts';
import { documents, filter, sort } from './object-store-filters.ts';
import type { Place } from './place.ts';
import { sqlitePlace } from './sqlite-place.ts';

describe('The same filter over the same data', () => {
  const places: Place<ObjectStore>[] = [];
  const stores: ObjectStore[] = [];
  before(async () => {
    places.push(await sqlitePlace('objects')(), await mongoPlace('objects', () => serverUrl('MONGO_URL'))());
    for (const place of places) stores.push(await place.open());
  });
  after(async () => {
    for (const store of stores) await store.close();
    for (const place of places) await place.remove();
  });

  let round = 0;
  /** Collections of their own for each round; the property names them `left` and `right`. */
  async function fill(
    store: ObjectStore,
    name: string,
    docs: Readonly<Record<string, Doc>>,
  ): Promise<readonly Stored[]> {
    const writes = Object.entries(docs).map(([id, doc]) => ({ op: 'upsert', collection: name, id, doc }) as const);
    const stored = await store.find(name, { filter: { op: 'all' }, count: 100 });
    const gone = stored.map(({ id }) => ({ op: 'delete', collection: name, id }) as const);
    await store.write([...gone, ...writes], { atomic: true });
    return store.find(name, { filter: { op: 'all' }, count: 100 });
  }

  it('gives the same objects in the same order on SQLite, on MongoDB and in a plain reading', async function test() {
    this.timeout(120_000);
    const property = fc.asyncProperty(
      documents,
      documents,
      fc.array(filter, { minLength: 5, maxLength: 15 }),
      sort,
      async (left, right, filters, order) => {
        round++;
        const [sqlite, mongo] = await Promise.all(
          stores.map(async (store) => ({
            left: await fill(store, 'left', left),
            right: await fill(store, 'right', right),
          })),
        );
        expect(mongo).to.deep.equal(sqlite);
        for (const one of filters) {
          const answers = await Promise.all(
            stores.map((store) => store.find('left', { filter: one, sort: order, count: 100 })),
          );
          expect(answers[1]).to.deep.equal(answers[0]);
          const plain = sqlite!.left.filter((object) => evaluateFilter(one, object, sqlite)).map(({ id }) => id);
          expect(answers[0]!.map(({ id }) => id).sort()).to.deep.equal(plain.sort());
        }
      },
    );
    await fc.assert(property, { numRuns: 100 });
    expect(round).to.be.at.least(100);
  });
});
