import type { Plan } from '../load/plan.ts';

/** One of two that are compared: a server that runs, and what it is asked. */
export interface Side {
  readonly pid: number;
  readonly plan: Plan;
  /** A service on the core of the load that the server calls. */
  readonly behind?: number;
  /** Rejects unless the very request that is measured is answered as it should be, and refused without credentials. */
  check(): Promise<void>;
}

export interface Pair {
  readonly portico: Side;
  readonly baseline: Side;
}
