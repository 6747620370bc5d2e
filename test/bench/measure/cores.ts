import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { isOnPath } from './on-path.ts';

/** Processor numbers; undefined where processes cannot be pinned or there is only one processor. */
export interface Cores {
  readonly server: number | undefined;
  readonly load: number | undefined;
}

export const findCores = (): Cores =>
  isOnPath('taskset') && availableParallelism() > 1 ? { server: 0, load: 1 } : { server: undefined, load: undefined };

/** The command line that starts `words` on the core. */
export const onCore = (core: number | undefined, words: readonly string[]): readonly string[] =>
  core === undefined ? words : ['taskset', '-c', String(core), ...words];

/** Moves a running process with all its threads. */
export function pin(pid: number, core: number | undefined): void {
  if (core !== undefined) execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' });
}
