import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Stores } from '#stores/stores.ts';
import type { Task } from './worker.ts';

/** Where a suite's data lies; each test gets its own, empty. What a suite cannot make by itself is here. */
export interface Place<Store> {
  /** Each call is one more connection. */
  open(): Promise<Store>;
  /** Lets that much time pass for the stores of this process: by their clock, or by waiting. */
  pass(milliseconds: number): Promise<void>;
  /** How another process opens the same: the module's `openElsewhere(argument)`. */
  readonly elsewhere: { readonly module: string; readonly argument: string };
  remove(): Promise<void>;
  /** Why batches are not one to everybody here, when the store says that it cannot; of an opened store. */
  readonly withoutTransactions?: string | undefined;
}

export type Elsewhere = (argument: string) => Promise<Partial<Stores>>;

const start = (place: Pick<Place<unknown>, 'elsewhere'>, task: Task): ChildProcess => {
  const { module, argument } = place.elsewhere;
  const given = [module, argument, JSON.stringify(task)];
  return fork(new URL('./worker.ts', import.meta.url), given, {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
};

/** Runs the tasks in a process each, at the same moment, and gives what each reported. */
export async function inProcesses(
  place: Pick<Place<unknown>, 'elsewhere'>,
  tasks: readonly Task[],
): Promise<unknown[]> {
  const workers = tasks.map((task) => start(place, task));
  await Promise.all(workers.map((worker) => message(worker)));
  const reports = workers.map((worker) => message(worker));
  for (const worker of workers) worker.send('go');
  const ends = workers.map((worker) => once(worker, 'exit'));
  const answers = await Promise.all(reports);
  await Promise.all(ends);
  return answers;
}

/** Runs an endless task, kills it without warning some time after its first report, and gives all that it reported. */
export async function killedAfter(
  place: Pick<Place<unknown>, 'elsewhere'>,
  task: Task,
  milliseconds: number,
): Promise<unknown[]> {
  const worker = start(place, task);
  await message(worker);
  const reports: unknown[] = [];
  worker.on('message', (report) => void reports.push(report));
  worker.send('go');
  await once(worker, 'message');
  await new Promise((done) => setTimeout(done, milliseconds));
  worker.kill('SIGKILL');
  await once(worker, 'close');
  return reports;
}

async function message(worker: ChildProcess): Promise<unknown> {
  const failed = new AbortController();
  const exit = (code: number | null): void => {
    if (code !== 0) failed.abort(new Error(`the process ended with ${code}`));
  };
  worker.once('exit', exit);
  const [report] = (await once(worker, 'message', { signal: failed.signal })) as unknown[];
  worker.off('exit', exit);
  return report;
}
