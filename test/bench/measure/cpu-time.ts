import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** CPU time in seconds; undefined where there is no /proc. */
export interface CpuTime {
  /** Of a process and its descendants. */
  ofTree(pid: number): number | undefined;
  /** Of the processes that this one started and that have ended. */
  ofEnded(): number | undefined;
  /** Of all there is, on all processors. */
  ofAll(): number | undefined;
}

const none = (): undefined => undefined;

export function createCpuTime(): CpuTime {
  if (!existsSync('/proc/self/stat')) return { ofTree: none, ofEnded: none, ofAll: none };
  const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0) / ticks;
  return {
    ofTree: (pid) => sum(treeOf(pid).flatMap(timesOf)),
    ofEnded: () => sum(timesOf(process.pid).slice(2)),
    ofAll: () => sum(timesOfAll()),
  };
}

/** utime, stime, and what ended children had of both (proc(5), fields 14 to 17). */
function timesOf(pid: number): readonly number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before it may hold blanks
  return fields.slice(11, 15).map(Number);
}

/** All but idle and iowait, which are the fourth and fifth (proc(5), /proc/stat). */
function timesOfAll(): readonly number[] {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const fields = first.trim().split(/\s+/).slice(1, 9).map(Number);
  return [...fields.slice(0, 3), ...fields.slice(5)];
}

function treeOf(pid: number): readonly number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}
