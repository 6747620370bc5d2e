import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#errors.ts';
import { asStoreError, isBusy, type Database } from './open.ts';

/** Turns a synchronous database into one that waits for locks without holding the process. */
export interface Connection {
  /** Runs at once; again while another process keeps the file locked. */
  read<T>(job: () => T): Promise<T>;
  /**
   * Runs in a transaction, durable when it resolves. A job that throws leaves nothing behind and does not touch others.
   * Jobs of the same moment share one commit; `weight` is the number of rows a job writes. After `undo()` the job's
   * answer is given but nothing of it stored.
   */
  write<T>(job: (undo: () => void) => T, weight?: number): Promise<T>;
  /** Ends what was accepted, then closes the file. */
  close(): Promise<void>;
}

interface Waiting {
  readonly job: (undo: () => void) => unknown;
  readonly weight: number;
  readonly since: number;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

export interface ConnectionOptions {
  /** Is told that work which had looked done was undone, for caches of what the database holds. */
  readonly lost?: () => void;
  /** Milliseconds that a lock of another process is waited for. */
  readonly patience?: number;
}

const groupWeight = 500; // rows: some 5 ms in which nothing else runs

export function createConnection(
  db: Database,
  { lost = () => {}, patience = 10_000 }: ConnectionOptions = {},
): Connection {
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
      const outcomes = group.map((one) => attempt(db, one, group.length > 1, lost));
      db.run(group.length === 1 && outcomes[0]!.undone ? 'rollback' : 'commit');
      for (const { answer } of outcomes) answer();
    } catch (error) {
      for (const one of group) one.reject(asStoreError(error));
      lost();
      if (db.inTransaction) db.script('rollback');
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
    async write<T>(job: (undo: () => void) => T, weight = 1): Promise<T> {
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

interface Outcome {
  /** To be called once the group is committed. */
  readonly answer: () => void;
  readonly undone: boolean;
}

/** A job alone needs no savepoint, and is twice as fast without. */
function attempt(db: Database, { job, resolve, reject }: Waiting, shared: boolean, lost: () => void): Outcome {
  let undone = false;
  let answer: () => void;
  if (shared) db.run('savepoint one');
  try {
    const value = job(() => (undone = true));
    answer = () => resolve(value as never);
  } catch (error) {
    if (!db.inTransaction) throw error; // a full disk undoes the whole transaction, the others' work too
    undone = true;
    answer = () => reject(asStoreError(error));
  }
  if (undone) lost(); // at once: the next job of the group must not believe it
  if (shared && undone) db.run('rollback to one');
  if (shared) db.run('release one');
  return { answer, undone };
}
