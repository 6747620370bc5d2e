import type { Bench } from '../bench.ts';
import type { Pair } from '../measure/side.ts';

/** A comparison of two servers under load. */
export interface PairCase {
  readonly name: string;
  readonly against: string;
  /** Least ratio of Portico to the baseline. */
  readonly bar: number;
  /** How many objects one request carries, where objects are what counts. */
  readonly objects?: number;
  open(bench: Bench): Promise<Pair>;
}
