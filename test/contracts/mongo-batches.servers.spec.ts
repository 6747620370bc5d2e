import { expect } from 'chai';
import type { ObjectStore, Stored, Written } from '#stores/object-store.ts';
import { serverUrl } from '../support/servers/index.ts';
import { mongoPlace } from './mongo-place.ts';
import type { Place } from './place.ts';

const random = (below: number): number => Math.floor(Math.random() * below);
const shuffled = (howMany: number): number[] =>
  Array.from({ length: howMany }, (_, n) => ({ n, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ n }) => n);
const went = (answers: readonly Written[]): boolean => answers.every((answer) => !('clash' in answer));

describe('Batches on MongoDB that get in each other’s way', () => {
  let place: Place<ObjectStore>;
  let stores: readonly ObjectStore[];
  beforeEach(async () => {
    place = await mongoPlace('objects', () => serverUrl('MONGO_URL'))();
    stores = [await place.open(), await place.open()];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await place.remove();
  });
  const all = (collection: string): Promise<readonly Stored[]> =>
    stores[0]!.find(collection, { filter: { op: 'all' }, count: 1000 });
  /** So many at once, on two connections by turns; each does its part again and again. */
  const atOnce = (howMany: number, times: number, work: (store: ObjectStore, key: string) => Promise<void>) =>
    Promise.all(
      Array.from({ length: howMany }, async (_, worker) => {
        for (let n = 0; n < times; n++) await work(stores[worker % 2]!, `${worker}-${n}`);
      }),
    );

  it('are stored whole or not at all', async function test() {
    this.timeout(60_000);
    const stored = new Set<string>();
    await stores[0]!.prepare([{ name: 'seats', indexes: [{ name: 'seat', paths: ['seat'], unique: true }] }]);
    await atOnce(10, 15, async (store, by) => {
      const writes = Array.from({ length: 4 }, () => random(150)).map(
        (seat, n) =>
          ({ op: 'insert', collection: 'seats', id: `${n % 2 ? by : random(1000)}-${n}`, doc: { seat, by } }) as const,
      );
      if (went(await store.write(writes, { atomic: true }))) stored.add(by);
    });
    const parts = Map.groupBy(await all('seats'), ({ doc }) => doc['by'] as string);
    expect(new Set(parts.keys())).to.deep.equal(stored);
    for (const [by, seats] of parts) expect(seats, by).to.have.length(4);
    expect(stored.size).to.be.within(5, 149); // some went through, some did not
  });

  it('lose nothing that they move between two objects', async function test() {
    this.timeout(60_000);
    const accounts = Array.from({ length: 12 }, (_, n) => `account-${n}`);
    const opening = accounts.map((id) => ({ op: 'insert', collection: 'accounts', id, doc: { sum: 100 } }) as const);
    await stores[0]!.write(opening, { atomic: true });
    let moved = 0;
    await atOnce(8, 15, async (store) => {
      const [from, to] = shuffled(accounts.length).map((n) => accounts[n]!);
      const sum = random(10);
      const found = await store.get('accounts', [from!, to!]);
      const writes = found.map((one, n) => {
        const doc = { sum: Number(one!.doc['sum']) + (n === 0 ? -sum : sum) };
        return { op: 'update', collection: 'accounts', id: one!.id, expect: one!.revision, doc } as const;
      });
      if (went(await store.write(writes, { atomic: true }))) moved++;
    });
    expect((await all('accounts')).reduce((sum, { doc }) => sum + Number(doc['sum']), 0)).to.equal(1200);
    expect(moved).to.be.greaterThan(0);
  });

  it('count every update once when they are answered item by item', async function test() {
    this.timeout(60_000);
    const ids = Array.from({ length: 40 }, (_, n) => `counter-${n}`);
    await stores[0]!.write(ids.map((id) => ({ op: 'insert', collection: 'counters', id, doc: { n: 0 } }) as const), { atomic: false }); // prettier-ignore
    let counted = 0;
    await atOnce(6, 6, async (store) => {
      const found = await store.get('counters', shuffled(ids.length).map((n) => ids[n]!)); // prettier-ignore
      const writes = found.map((one) => {
        const doc = { n: Number(one!.doc['n']) + 1 };
        return { op: 'update', collection: 'counters', id: one!.id, expect: one!.revision, doc } as const;
      });
      const answers = await store.write(writes, { atomic: false });
      counted += answers.filter((answer) => 'revision' in answer).length;
    });
    expect((await all('counters')).reduce((sum, { doc }) => sum + Number(doc['n']), 0)).to.equal(counted);
    expect(counted).to.be.within(40, 40 * 36 - 1);
  });

  it('give each unique value to one object', async function test() {
    this.timeout(60_000);
    await stores[0]!.prepare([{ name: 'books', indexes: [{ name: 'isbn', paths: ['isbn'], unique: true }] }]);
    const clashes: Written[] = [];
    await atOnce(5, 1, async (store, by) => {
      const writes = shuffled(80).map((isbn) => ({ op: 'insert', collection: 'books', id: `${by}-${isbn}`, doc: { isbn } }) as const); // prettier-ignore
      clashes.push(...(await store.write(writes, { atomic: false })).filter((answer) => 'clash' in answer));
    });
    expect(await all('books')).to.have.length(80);
    expect(clashes).to.have.length(4 * 80);
    for (const clash of clashes) expect(clash).to.include({ clash: 'unique', index: 'isbn' });
  });

  it('hand a value from one object to another in their order', async () => {
    const store = stores[0]!;
    await store.prepare([{ name: 'books', indexes: [{ name: 'isbn', paths: ['isbn'], unique: true }] }]);
    const write = (op: 'insert' | 'update', id: string, isbn: number) =>
      ({ op, collection: 'books', id, doc: { isbn } }) as const;
    await store.write([write('insert', 'a', 1), write('insert', 'b', 2)], { atomic: true });
    expect(went(await store.write([write('update', 'b', 3), write('update', 'a', 2)], { atomic: true }))).to.equal(
      true,
    );
    expect((await all('books')).map(({ doc }) => doc['isbn'])).to.deep.equal([2, 3]);
    const swap = await store.write([write('update', 'b', 2), write('update', 'a', 3)], { atomic: true });
    expect(swap[0]).to.deep.equal({ id: 'b', clash: 'unique', index: 'isbn' });
    expect((await all('books')).map(({ doc }) => doc['isbn'])).to.deep.equal([2, 3]);
    const both = await store.write([write('insert', 'c', 9), write('insert', 'd', 9)], { atomic: true });
    expect(both[1]).to.deep.equal({ id: 'd', clash: 'unique', index: 'isbn' });
    expect(await store.get('books', ['c', 'd'])).to.deep.equal([undefined, undefined]);
  });
});
