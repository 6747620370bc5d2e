import { relative, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface ProfileNode {
  readonly id: number;
  readonly children?: readonly number[];
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
  /** With what it calls; what comes after an `await` counts for whoever goes on. */
  total: number;
}

const root = join(import.meta.dirname, '..', '..', '..');

const nameOfPackage = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/;

const fileOf = (url: string): string => {
  if (url === '') return '(native)';
  return url.startsWith('file:') ? relative(root, fileURLToPath(url)) : url;
};

const isIdle = ({ callFrame }: ProfileNode): boolean => callFrame.functionName === '(idle)';

/** Self time of each node within the window, in µs. */
function selfTimes({ startTime, samples, timeDeltas }: CpuProfile, { from, to }: Window): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  let now = startTime;
  for (const [index, id] of samples.entries()) {
    now += timeDeltas[index]!;
    if (now >= from && now < to) times.set(id, (times.get(id) ?? 0) + (timeDeltas[index + 1] ?? 0));
  }
  return times;
}

/** What each function costs within the window, in µs. */
function costs(profile: CpuProfile, window: Window): readonly Cost[] {
  const times = selfTimes(profile, window);
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const byPlace = new Map<string, Cost>();
  const costOf = ({ callFrame: { functionName, url, lineNumber } }: ProfileNode): Cost => {
    const file = fileOf(url);
    const name = `${functionName || '(anonymous)'}${url === '' ? '' : `:${lineNumber + 1}`}`;
    const cost = byPlace.get(`${file} ${name}`) ?? { name, file, self: 0, total: 0 };
    byPlace.set(`${file} ${name}`, cost);
    return cost;
  };
  const visit = (id: number, callers: ReadonlySet<Cost>): number => {
    const node = nodes.get(id)!;
    const cost = costOf(node);
    const self = isIdle(node) ? 0 : (times.get(id) ?? 0);
    const within = new Set(callers).add(cost);
    const total = (node.children ?? []).reduce((sum, child) => sum + visit(child, within), self);
    cost.self += self;
    if (!callers.has(cost)) cost.total += total; // a function that calls itself counts once
    return total;
  };
  visit(profile.nodes[0]!.id, new Set());
  return Array.from(byPlace.values());
}

/** A package, or a room of this project. */
const areaOf = (file: string): string => {
  const modules = nameOfPackage.exec(file);
  if (modules) return `node_modules/${modules[1]}`;
  return file.startsWith('node:') || !file.includes('/') ? file.split('/')[0]! : file.split('/').slice(0, 3).join('/');
};

const sum = (all: readonly Cost[]): number => all.reduce((total, { self }) => total + self, 0);
const most = (groups: Iterable<readonly [string, readonly Cost[]]>) =>
  Array.from(groups).sort(([, one], [, other]) => sum(other) - sum(one));

const isOurs = ({ file }: Cost): boolean => /^(applications|services|shared)\//.test(file);

/** The `top` functions by self time grouped by file, our own with what they call, and all by area; µs for one request. */
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
  const ours = all
    .filter(isOurs)
    .toSorted((one, other) => other.total - one.total)
    .slice(0, 2 * top)
    .map(({ name, file, total: time }) => line(`${file} ${name}`, time));
  return [
    `${line('all, idle time aside', total)}, ${requests} requests`,
    `the ${top} functions with most self time:`,
    ...byFile,
    'our own functions with what they call:',
    ...ours,
    'by area:',
    ...byArea,
  ].join('\n');
}
