import type { Comparison } from './condition.ts';
import type { Filter } from './filter.ts';

/** What the notations share: they read, this checks, counts and compiles. */
export interface Reader {
  /** A nested condition on the same class. */
  readonly condition: (raw: unknown) => Filter;
  readonly compare: (word: Comparison, path: string, value: unknown) => Filter;
  /** An item of the collection, or the object a reference names, fulfils the condition. */
  readonly contains: (path: string, raw: unknown) => Filter;
  /** Whether the class has an attribute of that name. */
  readonly has: (name: string) => boolean;
}
