import { expect } from 'chai';
import type { StateStore } from '#stores/state-store.ts';
import { inProcesses, killedAfter, type Place } from './place.ts';

const long = 60_000;
const short = 300; // milliseconds; a store with a clock of its own waits for them

/** What callers may rely on, of any adapter. */
export function stateStoreContract(adapter: string, makePlace: () => Promise<Place<StateStore>>): void {
  describe(`StateStore on ${adapter}`, () => {
    let place: Place<StateStore>;
    let store: StateStore;
    beforeEach(async () => {
      place = await makePlace();
      store = await place.open();
    });
    afterEach(async () => {
      await store.close();
      await place.remove();
    });
    const end = (): Promise<void> => place.pass(short + 20);

    it('gives back what was put, until its time has passed', async () => {
      await store.put('a', 'Ж"\u2028👍', short);
      expect(await store.get('a')).to.equal('Ж"\u2028👍');
      expect(await store.get('A')).to.equal(undefined);
      await end();
      expect(await store.get('a')).to.equal(undefined);
    });

    it('replaces value and time', async () => {
      await store.put('a', '1', short);
      await store.put('a', '2', long);
      await end();
      expect(await store.get('a')).to.equal('2');
    });

    it('keeps large values, empty ones and odd keys', async () => {
      const large = 'x'.repeat(200_000);
      const keys = ['plain', 'with space', 'a:b:*', "'; drop", 'Ж'.repeat(100), '%_'];
      for (const key of keys) await store.put(key, large + key, long);
      for (const key of keys) expect(await store.get(key)).to.equal(large + key);
      await store.put('empty', '', long);
      expect(await store.get('empty')).to.equal('');
      expect(await store.take('empty')).to.equal('');
    });

    it('keeps nothing with no time to live', async () => {
      await store.put('a', '1', long);
      await store.put('a', '2', 0);
      expect(await store.get('a')).to.equal(undefined);
      await store.put('b', '1', -1000);
      expect(await store.get('b')).to.equal(undefined);
      await store.put('c', '1', long);
      await store.touch('c', 0);
      expect(await store.get('c')).to.equal(undefined);
    });

    it('puts a value where there is none, for one caller', async () => {
      expect(await store.putIfAbsent('a', '1', short)).to.equal(true);
      expect(await store.putIfAbsent('a', '2', long)).to.equal(false);
      expect(await store.get('a')).to.equal('1');
      await end();
      const tries = await Promise.all(Array.from({ length: 10 }, (_, n) => store.putIfAbsent('a', `try-${n}`, long)));
      expect(tries.filter(Boolean)).to.have.length(1);
      expect(await store.get('a')).to.equal(`try-${tries.indexOf(true)}`);
    });

    it('does not bring back what has ended', async () => {
      expect(await store.putIfPresent('a', '1', long)).to.equal(false);
      expect(await store.get('a')).to.equal(undefined);
      await store.put('a', '1', short);
      expect(await store.putIfPresent('a', '2', short)).to.equal(true);
      expect(await store.get('a')).to.equal('2');
      await end();
      expect(await store.putIfPresent('a', '3', long)).to.equal(false);
      expect(await store.touch('a', long)).to.equal(false);
      expect(await store.get('a')).to.equal(undefined);
    });

    it('gives a value to exactly one of many takers', async () => {
      await store.put('a', '1', long);
      const takes = await Promise.all(Array.from({ length: 10 }, () => store.take('a')));
      expect(takes.filter((one) => one !== undefined)).to.deep.equal(['1']);
      expect(await store.get('a')).to.equal(undefined);
      await store.put('b', '1', short);
      await end();
      expect(await store.take('b')).to.equal(undefined);
    });

    it('gives a new time to live', async () => {
      await store.put('a', '1', short);
      expect(await store.touch('a', long)).to.equal(true);
      await end();
      expect(await store.get('a')).to.equal('1');
    });

    it('removes values, counters and sets', async () => {
      await store.put('a', '1', long);
      await store.increment('b', 5, long);
      await store.addMember('c', 'm', long);
      await store.put('d', '1', long);
      await store.remove(['a', 'b', 'c', 'unknown']);
      await store.remove([]);
      expect(await store.get('a')).to.equal(undefined);
      expect((await store.increment('b', 1, long)).count).to.equal(1);
      expect(await store.members('c')).to.deep.equal([]);
      expect(await store.get('d')).to.equal('1');
    });

    it('counts within a window that starts with the first count', async () => {
      const first = await store.increment('a', 1, short);
      expect(first.count).to.equal(1);
      expect(first.left).to.be.within(1, short);
      await place.pass(short / 2);
      const second = await store.increment('a', 2, short);
      expect(second.count).to.equal(3);
      expect(second.left).to.be.within(1, short / 2);
      await place.pass(short / 2 + 20);
      const third = await store.increment('a', 1, short);
      expect(third.count).to.equal(1);
      expect(third.left).to.be.greaterThan(short / 2);
    });

    it('loses no count', async () => {
      const counts = await Promise.all(Array.from({ length: 100 }, () => store.increment('a', 1, long)));
      expect(counts.map(({ count }) => count).sort((a, b) => a - b)).to.deep.equal(
        Array.from({ length: 100 }, (_, n) => n + 1),
      );
    });

    it('keeps the members of a set, each once', async () => {
      await store.addMember('s', 'b', long);
      await store.addMember('s', 'a', long);
      await store.addMember('s', 'b', long);
      await store.addMember('t', 'c', long);
      expect((await store.members('s')).toSorted()).to.deep.equal(['a', 'b']);
      await store.removeMember('s', 'b');
      await store.removeMember('s', 'unknown');
      expect(await store.members('s')).to.deep.equal(['a']);
      expect(await store.members('unknown')).to.deep.equal([]);
    });

    it('keeps a set as long as the longest time to live given, and starts anew after it', async () => {
      await store.addMember('s', 'a', long);
      await store.addMember('s', 'b', short);
      await store.addMember('t', 'old', short);
      await end();
      expect(await store.members('s')).to.include('a');
      expect(await store.members('t')).to.deep.equal([]);
      await store.addMember('t', 'new', long);
      expect(await store.members('t')).to.deep.equal(['new']);
    });

    it('shares everything with other connections', async () => {
      const other = await place.open();
      try {
        await store.put('a', '1', long);
        expect(await other.take('a')).to.equal('1');
        expect(await store.get('a')).to.equal(undefined);
      } finally {
        await other.close();
      }
    });

    it('answers a ping while it can answer, and rejects when closed', async () => {
      await store.ping();
      const other = await place.open();
      await other.close();
      const outcomes = await Promise.allSettled([other.ping(), other.get('a'), other.put('a', '1', long)]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
    });

    describe('between two processes', () => {
      const keys = Array.from({ length: 60 }, (_, n) => `key-${n}`);
      const race = async (task: Parameters<typeof inProcesses>[1][number]) =>
        (await inProcesses(place, [task, task])).flat();

      it('gives a value to exactly one taker', async () => {
        await Promise.all(keys.map((key) => store.put(key, '1', long)));
        expect(((await race({ do: 'take', keys })) as string[]).sort()).to.deep.equal(keys.toSorted());
      });

      it('lets exactly one put a value where there is none', async () => {
        expect(((await race({ do: 'putIfAbsent', keys })) as string[]).sort()).to.deep.equal(keys.toSorted());
      });

      it('loses no count', async () => {
        const counts = (await race({ do: 'increment', key: 'a', times: 60 })) as { count: number }[];
        const expected = Array.from({ length: 120 }, (_, n) => n + 1);
        expect(counts.map(({ count }) => count).sort((a, b) => a - b)).to.deep.equal(expected);
      });

      it('has what was acknowledged when a writer is killed', async function test() {
        this.timeout(30_000);
        let from = 0;
        let highest = 0;
        for (let round = 0; round < 5; round++) {
          const task = { do: 'countForever', from } as const;
          const reports = (await killedAfter(place, task, 10 + 20 * round)) as { n: number; count: number }[];
          for (const { n } of reports) expect(await store.get(`n-${n}`)).to.equal('here');
          expect(reports[0]!.count).to.be.greaterThan(highest);
          highest = reports.at(-1)!.count;
          from = reports.at(-1)!.n + 1_000;
        }
        expect((await store.increment('counter', 1, long)).count).to.be.within(highest + 1, highest + 2);
      });
    });
  });
}
