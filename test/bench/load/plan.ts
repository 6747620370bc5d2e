/**
 * One request, sent over and over. In `path` and `body`, `{n}` is a number that no request had before and `{slot}` goes
 * round below `slots`: writes change the value each time, reads do not ask for the same object twice in a row.
 */
export interface Plan {
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly slots?: number;
  /** Requests that are under way at once; the runner's default otherwise. */
  readonly connections?: number;
}

/** A plan with all that a generator needs to run it. */
export interface Order {
  readonly plan: Plan;
  readonly connections: number;
  readonly seconds: number;
  /** First value of `{n}`. */
  readonly from: number;
}

export interface LoadResult {
  /** Answers with 2xx. */
  readonly answered: number;
  /** Other answers, broken connections, timeouts. */
  readonly failed: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export const fill = (text: string, n: number, slots = 1): string =>
  text.replaceAll('{n}', String(n)).replaceAll('{slot}', String(n % slots));

export const isVarying = ({ path, body = '' }: Plan): boolean => /\{(n|slot)\}/.test(path + body);
