import type { Connection } from 'mongoose';
import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';
import type { Write, Written } from '../object-store.ts';
import { applyPlan, undo } from './apply-plan.ts';
import { check, type Planned } from './check.ts';
import type { Collections } from './collections.ts';
import { isDuplicate, unavailable } from './failure.ts';
import { newBatch } from './write-each.ts';
import { writeOne, type Within } from './write-one.ts';

/** All of a batch or nothing. Undefined: somebody came between, or the order matters; another attempt tells. */
type Attempt = (writes: readonly Write[], inOrder: boolean) => Promise<readonly Written[] | undefined>;

export interface AtomicDeps {
  readonly connection: Connection;
  readonly collections: Collections;
  readonly log: Log;
  readonly transactions: boolean;
}

const attempts = 8;

export function createAtomicWriter({ connection, collections, log, transactions }: AtomicDeps) {
  const attempt = transactions ? inTransaction(connection, collections) : withUndo(collections, log);
  return async (writes: readonly Write[]): Promise<readonly Written[]> => {
    if (writes.length === 1) return [await writeOne(collections, writes[0]!)]; // one object is written as one anyway
    for (let n = 0; n < attempts; n++) {
      const answers = await attempt(writes, n % 2 === 1);
      if (answers) return answers;
    }
    throw new AppError('conflict', 'the objects of a batch are written by too many at once');
  };
}

const patience = 20_000; // milliseconds that a transaction is tried again while others write the same

const inTransaction =
  (connection: Connection, collections: Collections): Attempt =>
  async (writes, inOrder) => {
    const until = performance.now() + patience;
    const session = await connection.startSession();
    try {
      let answers: readonly Written[] | undefined;
      await session.withTransaction(
        async () => {
          if (performance.now() > until) throw unavailable('the objects of a batch are locked by others');
          const checked = await check(collections, writes, { session });
          answers = checked.answers;
          if (checked.planned && (await store(collections, writes, checked.planned, { session }, inOrder))) return;
          if (checked.planned) answers = undefined;
          await session.abortTransaction();
        },
        { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
      );
      return answers;
    } catch (error) {
      if (isDuplicate(error)) return undefined;
      throw error;
    } finally {
      await session.endSession();
    }
  };

const withUndo =
  (collections: Collections, log: Log): Attempt =>
  async (writes, inOrder) => {
    const { answers, planned } = await check(collections, writes);
    if (!planned) return answers;
    const batch = newBatch();
    const deleted = new Set<Planned>();
    const takeBack = async (): Promise<void> => {
      try {
        await undo(collections, planned, batch, deleted);
      } catch (error) {
        log.error('a batch was stored in part', { collections: Array.from(new Set(planned.map((one) => one.collection))), error }); // prettier-ignore
      }
    };
    try {
      if (await store(collections, writes, planned, { batch }, inOrder, deleted)) return answers;
    } catch (error) {
      await takeBack();
      throw error;
    }
    await takeBack();
    return undefined;
  };

/** In order: a value can go from one object to another only so. */
async function store(
  collections: Collections,
  writes: readonly Write[],
  planned: readonly Planned[],
  within: Within,
  inOrder: boolean,
  deleted: Set<Planned> = new Set(),
): Promise<boolean> {
  if (!inOrder) return applyPlan(collections, planned, within, deleted);
  for (const write of writes) {
    if ('clash' in (await writeOne(collections, write, within))) return false;
    if (write.op === 'delete') {
      const one = planned.find(({ collection, id }) => collection === write.collection && id === write.id);
      if (one && !one.after) deleted.add(one);
    }
  }
  return true;
}
