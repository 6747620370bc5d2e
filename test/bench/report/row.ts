import type { PairCase } from '../cases/case.ts';
import type { Run } from '../measure/measure-pair.ts';
import { median, spread } from '../measure/statistics.ts';

export interface Figures {
  /** Median of the rounds. */
  readonly perSecond: number;
  /** (greatest − least) / median. */
  readonly spread: number;
  /** CPU µs for one request, or for one object where objects count. */
  readonly cpu: number | undefined;
  /** Of one processor. */
  readonly busy: number | undefined;
  readonly loadBusy: number | undefined;
  readonly othersBusy: number | undefined;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface PairRow {
  readonly name: string;
  readonly against: string;
  readonly unit: 'requests' | 'objects';
  readonly portico: Figures;
  readonly baseline: Figures;
  /** Portico to baseline, in what is done in a second. */
  readonly ratio: number;
  /** Baseline to Portico, in CPU time for the same work. */
  readonly cpuRatio: number | undefined;
  readonly bar: number;
  /** CPU time decides where the load was busy and the server was not, or where others used the machine: there the rate says little. */
  readonly judgedBy: 'rate' | 'cpu';
  readonly met: boolean;
  readonly failed: number;
  readonly runs: Readonly<Record<'portico' | 'baseline', readonly Run[]>>;
}

const saturated = 0.85; // of a processor

const disturbed = 0.1; // of a processor

export const isDisturbed = ({ othersBusy = 0 }: Figures): boolean => othersBusy > disturbed;
const isLoadBound = ({ busy = 1, loadBusy = 0 }: Figures): boolean => loadBusy >= saturated && busy < saturated;
const isRateVain = (figures: Figures): boolean => isLoadBound(figures) || isDisturbed(figures);

function toFigures(runs: readonly Run[], each: number): Figures {
  const rates = runs.map((run) => run.perSecond * each);
  const middle = (pick: (run: Run) => number | undefined): number | undefined => {
    const values = runs.flatMap((run) => pick(run) ?? []);
    return values.length === 0 ? undefined : median(values);
  };
  const cpu = middle((run) => run.cpu);
  return {
    perSecond: median(rates),
    spread: spread(rates),
    cpu: cpu === undefined ? undefined : cpu / each,
    busy: middle((run) => run.busy),
    loadBusy: middle((run) => run.loadBusy),
    othersBusy: middle((run) => run.othersBusy),
    p50: middle((run) => run.p50)!,
    p99: middle((run) => run.p99)!,
  };
}

export function toRow({ name, against, bar, objects }: PairCase, runs: PairRow['runs']): PairRow {
  const portico = toFigures(runs.portico, objects ?? 1);
  const baseline = toFigures(runs.baseline, objects ?? 1);
  const ratio = portico.perSecond / baseline.perSecond;
  const cpuRatio = portico.cpu === undefined || baseline.cpu === undefined ? undefined : baseline.cpu / portico.cpu;
  const byRate = cpuRatio === undefined || !(isRateVain(portico) || isRateVain(baseline));
  return {
    name,
    against,
    unit: objects === undefined ? 'requests' : 'objects',
    portico,
    baseline,
    ratio,
    cpuRatio,
    bar,
    judgedBy: byRate ? 'rate' : 'cpu',
    met: (byRate ? ratio : cpuRatio) >= bar,
    failed: [...runs.portico, ...runs.baseline].reduce((sum, run) => sum + run.failed, 0),
    runs,
  };
}
