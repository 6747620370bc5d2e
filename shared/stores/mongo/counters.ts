import type { Connection } from 'mongoose';
import { isDuplicate } from './failure.ts';

interface Counter {
  readonly _id: string;
  /** The number that was given last. */
  readonly value: number;
}

export interface Counters {
  reserve(counter: string, howMany: number): Promise<number>;
  raise(counter: string, floor: number): Promise<void>;
  counters(): Promise<ReadonlyMap<string, number>>;
}

/** One document each: the server changes it for one caller after the other. */
export function createCounters(connection: Connection): Counters {
  const counters = connection.db!.collection<Counter>('counters');

  /** False when there is one already. An upsert would do for MongoDB; other servers answer two at once with an error. */
  const make = async (counter: string, value: number): Promise<boolean> => {
    try {
      return (await counters.insertOne({ _id: counter, value })).acknowledged;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  };

  return {
    async reserve(counter, howMany) {
      if (!Number.isSafeInteger(howMany) || howMany < 1) throw new RangeError(`cannot reserve ${howMany} numbers`);
      for (;;) {
        const found = await counters.findOneAndUpdate(
          { _id: counter },
          { $inc: { value: howMany } },
          { returnDocument: 'after' },
        );
        if (found) return found.value - howMany + 1;
        if (await make(counter, howMany)) return 1;
      }
    },
    async raise(counter, floor) {
      const value = Math.trunc(floor);
      for (;;) {
        const { matchedCount } = await counters.updateOne({ _id: counter }, { $max: { value } });
        if (matchedCount === 1 || (await make(counter, value))) return;
      }
    },
    async counters() {
      const found = await counters.find({}, { sort: { _id: 1 }, batchSize: 10_000 }).toArray();
      return new Map(found.map(({ _id, value }) => [_id, value]));
    },
  };
}
