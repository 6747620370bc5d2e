import { relative, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
}

/** What `node --cpu-prof` writes. Times in µs of the machine's monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A part of a profile, in µs of the machine's monotonic clock. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

interface Cost {
  readonly name: string;
  readonly file: string;
  self: number;
}

const root = join(import.meta.dirname, '..', '..', '..');

const fileOf = (url: string): string => {
  if (url === '') return '(native)';
  return url.startsWith('file:') ? relative(root, fileURLToPath(url)) : url;
};

/** Self time of each function within the window, in µs. */
function costs({ nodes, startTime, samples, timeDeltas }: CpuProfile, { from, to }: Window): readonly Cost[] {
  const byPlace = new Map<string, Cost>();
  const byNode = new Map<number, Cost>();
  for (const { id, callFrame } of nodes) {
    const { functionName, url, lineNumber } = callFrame;
    const file = fileOf(url);
    const name = `${functionName || '(anonymous)'}${url === '' ? '' : `:${lineNumber + 1}`}`;
    const cost = byPlace.get(`${file} ${name}`) ?? { name, file, self: 0 };
    byPlace.set(`${file} ${name}`, cost);
    byNode.set(id, cost);
  }
  let now = startTime;
  for (const [index, id] of samples.entries()) {
    now += timeDeltas[index]!;
    if (now >= from && now < to) byNode.get(id)!.self += timeDeltas[index + 1] ?? 0;
  }
  return Array.from(byPlace.values()).filter((cost) => cost.self > 0 && cost.name !== '(idle)');
}

/** A package, or a room of this project. */
const areaOf = (file: string): string => {
  const modules = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file);
  if (modules) return `node_modules/${modules[1]}`;
  return file.startsWith('node:') || !file.includes('/') ? file.split('/')[0]! : file.split('/').slice(0, 3).join('/');
};

const sum = (all: readonly Cost[]): number => all.reduce((total, { self }) => total + self, 0);
const most = (groups: Iterable<readonly [string, readonly Cost[]]>) =>
  Array.from(groups).sort(([, one], [, other]) => sum(other) - sum(one));

/** The `top` functions by self time grouped by file, then all by area; µs for one request. */
export function describeProfile(profile: CpuProfile, window: Window, requests: number, top = 15): string {
  const all = costs(profile, window).toSorted((one, other) => other.self - one.self);
  const total = sum(all);
  const line = (name: string, self: number) =>
    `${(self / requests).toFixed(2).padStart(10)} µs ${((100 * self) / total).toFixed(1).padStart(5)} %  ${name}`;
  const byFile = most(Map.groupBy(all.slice(0, top), ({ file }) => file)).flatMap(([file, group]) => [
    line(file, sum(group)),
    ...group.map(({ name, self }) => line(`    ${name}`, self)),
  ]);
  const byArea = most(Map.groupBy(all, ({ file }) => areaOf(file)))
    .slice(0, top)
    .map(([area, group]) => line(area, sum(group)));
  return [
    `${line('all, idle time aside', total)}, ${requests} requests`,
    `the ${top} functions with most self time:`,
    ...byFile,
    'by area:',
    ...byArea,
  ].join('\n');
}
