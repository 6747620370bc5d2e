import type { Generator } from '../load/generator.ts';
import type { Plan } from '../load/plan.ts';
import type { CpuTime } from './cpu-time.ts';
import type { Pair, Side } from './side.ts';

export interface MeasureDeps {
  readonly generator: Generator;
  readonly cpuTime: CpuTime;
  /** Gives each run numbers that no other had. */
  readonly numbers: () => number;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

export interface Run {
  readonly perSecond: number;
  /** CPU µs of the server for one request; undefined where it cannot be read. */
  readonly cpu: number | undefined;
  /** How much of one processor the server used. */
  readonly busy: number | undefined;
  /** The same for the load and what stands behind the server. */
  readonly loadBusy: number | undefined;
  /** What all else on the machine used, of one processor. */
  readonly othersBusy: number | undefined;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
}

/** Checks both, warms both, then measures them in turn: A B, B A, A B, … */
export async function measurePair(
  pair: Pair,
  deps: MeasureDeps,
): Promise<Readonly<Record<keyof Pair, readonly Run[]>>> {
  await pair.portico.check();
  await pair.baseline.check();
  await warm(pair.portico, deps);
  await warm(pair.baseline, deps);
  const runs: Record<keyof Pair, Run[]> = { portico: [], baseline: [] };
  for (let round = 0; round < deps.rounds; round += 1) {
    const order = ['portico', 'baseline'] as const;
    for (const name of round % 2 === 0 ? order : order.toReversed()) runs[name].push(await measure(pair[name], deps));
  }
  return runs;
}

export const warm = ({ plan }: Side, deps: MeasureDeps) => send(plan, Math.max(1, Math.ceil(deps.seconds / 2)), deps);

const send = (plan: Plan, seconds: number, { generator, numbers, connections }: MeasureDeps) =>
  generator.run({ plan, seconds, connections: plan.connections ?? connections, from: numbers() });

export async function measure(side: Side, deps: MeasureDeps): Promise<Run & { readonly answered: number }> {
  const times = (): readonly (number | undefined)[] => [
    deps.cpuTime.ofTree(side.pid),
    deps.cpuTime.ofEnded(),
    side.behind === undefined ? 0 : deps.cpuTime.ofTree(side.behind),
    deps.cpuTime.ofAll(),
  ];
  const before = times();
  const { answered, failed, seconds, p50, p99 } = await send(side.plan, deps.seconds, deps);
  const [server = NaN, load = NaN, behind = NaN, all = NaN] = times().map(
    (after, index) => (after ?? NaN) - (before[index] ?? NaN),
  );
  const known = (value: number) => (Number.isNaN(value) ? undefined : value);
  return {
    answered,
    perSecond: answered / seconds,
    cpu: known((server * 1e6) / Math.max(1, answered + failed)),
    busy: known(server / seconds),
    loadBusy: known((load + behind) / seconds),
    othersBusy: known((all - server - load - behind) / seconds),
    failed,
    p50,
    p99,
  };
}
