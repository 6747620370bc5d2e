import { expect } from 'chai';
import { notRun } from '../support/servers/not-run.ts';
import type { Opened } from './object-store.ts';
import { inProcesses, killedAfter } from './place.ts';
import type { Task } from './worker.ts';

const twice = (task: Task): readonly Task[] => [task, task];
const keys = Array.from({ length: 60 }, (_, n) => `key-${n}`);
const sorted = (lists: readonly unknown[]): string[] => (lists as string[][]).flat().sort();

export function sharingContract(opened: () => Opened): void {
  it('shows one connection what another has written', async () => {
    const { store, place } = opened();
    const other = await place.open();
    try {
      await store.write([{ op: 'insert', collection: 'books', id: 'a', doc: {} }], { atomic: true });
      expect(await other.count('books', { op: 'all' })).to.equal(1);
      await other.write([{ op: 'update', collection: 'books', id: 'a', doc: { n: 1 }, expect: 1 }], { atomic: true });
      expect(await store.get('books', ['a'])).to.deep.equal([{ id: 'a', revision: 2, doc: { n: 1 } }]);
    } finally {
      await other.close();
    }
  });

  it('keeps everything when it is closed and opened again', async () => {
    const { store, place } = opened();
    const write = store.write([{ op: 'insert', collection: 'books', id: 'a', doc: {} }], { atomic: true });
    await store.close(); // with a write under way
    expect(await write).to.deep.equal([{ id: 'a', revision: 1 }]);
    const again = await place.open();
    try {
      expect(await again.count('books', { op: 'all' })).to.equal(1);
    } finally {
      await again.close();
    }
  });

  it('answers a ping while it can answer, and rejects when closed', async () => {
    const { store, place } = opened();
    await store.ping();
    const other = await place.open();
    await other.close();
    const outcomes = await Promise.allSettled([other.ping(), other.get('books', ['a']), other.reserve('n', 1)]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
  });

  it('reserves numbers from 1 on, as many as asked for, none twice', async () => {
    const { store } = opened();
    expect(await store.reserve('n', 1)).to.equal(1);
    expect(await store.reserve('n', 10)).to.equal(2);
    expect(await store.reserve('n', 1)).to.equal(12);
    expect(await store.reserve('other', 5)).to.equal(1);
    const firsts = await Promise.all(Array.from({ length: 50 }, () => store.reserve('at once', 2)));
    expect(firsts.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 50 }, (_, n) => 2 * n + 1));
  });

  it('goes on above a floor, and never below what it has given', async () => {
    const { store } = opened();
    await store.raise('n', 100);
    expect(await store.reserve('n', 1)).to.equal(101);
    await store.raise('n', 50);
    expect(await store.reserve('n', 1)).to.equal(102);
  });

  it('can be prepared by several processes at the same moment', async () => {
    const { place } = opened();
    const indexes = [
      { name: 'n', paths: ['n'] },
      { name: 'isbn', paths: ['isbn'], unique: true },
    ];
    const collections = ['a', 'b', 'c', 'd'].map((name) => ({ name, indexes }));
    expect(await inProcesses(place, twice({ do: 'prepare', collections }))).to.deep.equal([true, true]);
  });

  it('gives no number twice to two processes', async () => {
    const { place } = opened();
    const reports = (await inProcesses(place, twice({ do: 'reserve', counter: 'n', times: 40 }))) as number[][];
    expect(reports.flat().sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 80 }, (_, n) => 3 * n + 1));
  });

  it('lets exactly one of two processes insert an object', async () => {
    const { place } = opened();
    expect(sorted(await inProcesses(place, twice({ do: 'insert', keys })))).to.deep.equal(keys.toSorted());
  });

  it('lets exactly one of two processes have a unique value', async () => {
    const { store, place } = opened();
    await store.prepare([{ name: 'raced', indexes: [{ name: 'key', paths: ['key'], unique: true }] }]);
    expect(sorted(await inProcesses(place, twice({ do: 'insertUnique', keys })))).to.deep.equal(keys.toSorted());
    expect(await store.count('raced', { op: 'all' })).to.equal(keys.length);
  });

  it('loses no update of two processes that name the revision they expect', async () => {
    const { store, place } = opened();
    await store.write([{ op: 'insert', collection: 'counted', id: 'a', doc: { n: 0 } }], { atomic: true });
    await inProcesses(place, twice({ do: 'addOne', key: 'a', times: 40 }));
    expect(await store.get('counted', ['a'])).to.deep.equal([{ id: 'a', revision: 81, doc: { n: 80 } }]);
  });

  /** Kills a writer in the middle of a batch over `left` and `right`, again and again, and gives what it acknowledged last. */
  async function killWriters(rounds: number, check: (acknowledged: readonly string[]) => Promise<void>) {
    let from = 0;
    let number = 0;
    for (let round = 0; round < rounds; round++) {
      const task = { do: 'writeForever', from } as const;
      const reports = (await killedAfter(opened().place, task, 20 + 25 * round)) as { n: number; number: number }[];
      expect(reports[0]!.number).to.be.greaterThan(number);
      number = reports.at(-1)!.number;
      from = reports.at(-1)!.n + 1_000;
      await check(reports.map(({ n }) => String(n)));
    }
    return number;
  }
  const all = (name: string) => opened().store.find(name, { filter: { op: 'all' }, count: 100_000 });

  it('has every acknowledged write, and each object whole, when a writer is killed', async function test() {
    this.timeout(30_000);
    const { store } = opened();
    const number = await killWriters(5, async (acknowledged) => {
      for (const collection of ['left', 'right']) {
        const found = await store.get(collection, acknowledged);
        expect(found.map((one) => one?.id)).to.deep.equal(acknowledged);
      }
    });
    for (const { id, revision, doc } of [...(await all('left')), ...(await all('right'))]) {
      expect({ revision, doc }).to.deep.equal({ revision: 1, doc: { n: Number(id) } });
    }
    expect(await store.reserve('numbers', 1)).to.be.greaterThan(number);
  });

  it('has no half batch when a writer is killed', async function test() {
    this.timeout(30_000);
    const { withoutTransactions } = opened().place;
    if (withoutTransactions !== undefined) notRun(this, withoutTransactions);
    await killWriters(3, async () => {});
    const [left, right] = await Promise.all([all('left'), all('right')]);
    expect(left.map(({ id }) => id)).to.deep.equal(right.map(({ id }) => id));
    expect(left).to.have.length.greaterThan(0);
  });
}
