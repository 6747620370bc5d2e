import type { ListOptions } from '#data/repository.ts';
import { toEager } from './legacy-input.ts';

/** Options of the old repository; others are not looked at. */
export interface LegacyOptions {
  readonly filter?: unknown;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  /** A number, or its text. */
  readonly offset?: unknown;
  /** Unlimited without. */
  readonly count?: unknown;
  readonly countTotal?: boolean;
  readonly forceEnrichment?: unknown;
  readonly user?: unknown;
}

export const toListOptions = (options: LegacyOptions): ListOptions => ({
  filter: options.filter,
  eager: toEager(options.forceEnrichment),
  ...(options.sort ? { sort: options.sort } : {}),
  ...(options.offset === undefined || options.offset === null ? {} : { offset: Number(options.offset) }),
  ...(options.count === undefined || options.count === null ? {} : { count: Number(options.count) }),
  ...(options.countTotal ? { total: true } : {}),
});
