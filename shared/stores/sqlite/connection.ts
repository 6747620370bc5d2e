import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#errors.ts';
import { asStoreError, isBusy, type Database } from './open.ts';

/** Turns a synchronous database into one that waits for locks without holding the process. */
export interface Connection {
  /** Runs at once; again while another process keeps the file locked. */
  read<T>(job: () => T): Promise<T>;
  /**
   * Runs in a transaction, durable when it resolves. A job that throws leaves nothing behind and does not touch others.
   * Jobs of the same moment share one commit; `weight` is the number of rows a job writes.
   */
  write<T>(job: () => T, weight?: number): Promise<T>;
  /** Ends what was accepted, then closes the file. */
  close(): Promise<void>;
}

interface Waiting {
  readonly job: () => unknown;
  readonly weight: number;
  readonly since: number;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

const patience = 10_000; // milliseconds that a lock of another process is waited for
const groupWeight = 500; // rows: some 5 ms in which nothing else runs

/** @param lost is told that work which had looked done was undone, for caches of what the database holds */
export function createConnection(db: Database, lost: () => void = () => {}): Connection {
  const queue: Waiting[] = [];
  let working: Promise<void> | undefined;
  let closed: Promise<void> | undefined;

  async function work(): Promise<void> {
    do {
      await tick(); // whoever writes in the same turn joins the group
      if (begin()) commit(takeGroup(queue));
      else await sleep(1 + Math.random() * 3);
    } while (queue.length > 0);
    working = undefined;
  }

  /** False while another process writes. */
  function begin(): boolean {
    try {
      db.run('begin immediate');
      return true;
    } catch (error) {
      const late = isBusy(error) ? performance.now() - patience : Infinity;
      while (queue.length > 0 && queue[0]!.since < late) queue.shift()!.reject(asStoreError(error));
      return false;
    }
  }

  function commit(group: readonly Waiting[]): void {
    try {
      const answers = group.map((one) => attempt(db, one, lost));
      db.run('commit');
      for (const answer of answers) answer();
    } catch (error) {
      if (db.inTransaction) db.script('rollback');
      lost();
      for (const one of group) one.reject(asStoreError(error));
    }
  }

  const check = (): void => {
    if (closed) throw new AppError('unavailable', 'the store is closed');
  };

  return {
    async read(job) {
      for (const since = performance.now(); ; await sleep(1 + Math.random() * 3)) {
        check();
        try {
          return job();
        } catch (error) {
          if (!isBusy(error) || performance.now() - since > patience) throw asStoreError(error);
        }
      }
    },
    async write<T>(job: () => T, weight = 1): Promise<T> {
      check();
      const answer = new Promise<T>((resolve, reject) => {
        queue.push({ job, weight, since: performance.now(), resolve, reject });
      });
      working ??= work();
      return answer;
    },
    close: () =>
      (closed ??= (async () => {
        await working;
        db.close();
      })()),
  };
}

function takeGroup(queue: Waiting[]): readonly Waiting[] {
  let weight = 0;
  const length = queue.findIndex((one, index) => (weight += one.weight) > groupWeight && index > 0);
  return queue.splice(0, length < 0 ? queue.length : length);
}

/** Gives the answer to send once the group is committed. */
function attempt(db: Database, { job, resolve, reject }: Waiting, lost: () => void): () => void {
  db.run('savepoint one');
  try {
    const value = job();
    db.run('release one');
    return () => resolve(value as never);
  } catch (error) {
    if (!db.inTransaction) throw error; // a full disk undoes the whole transaction, the others' work too
    db.run('rollback to one');
    db.run('release one');
    lost();
    return () => reject(asStoreError(error));
  }
}
