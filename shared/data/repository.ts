import type { Identity } from '#accounts/identity.ts';
import type { Class } from '#meta/class.ts';
import type { Filter } from '#query/filter.ts';

export interface ListOptions {
  /** Either notation of docs/reference/filters.md; checked against the class. */
  readonly filter?: unknown;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly offset?: number;
  /** Without it: all. */
  readonly count?: number;
  /** Paths to load: `['section', 'remarks']`. */
  readonly eager?: readonly (readonly string[])[];
}

/** One object, read. `toJSON` is its public form; nothing else of the stored document leaves. */
export interface Item {
  readonly id: string;
  readonly itsClass: Class;
  readonly revision: number;
  /** A value by path, such as `section.name` where the reference was loaded. */
  get(path: string): unknown;
  toString(): string;
  toJSON(): Readonly<Record<string, unknown>>;
}

export interface WriteOptions {
  readonly as?: Identity;
  /** Revision that must still stand; `AppError('stale')` otherwise. */
  readonly expect?: number;
}

export type Values = Readonly<Record<string, unknown>>;

/**
 * Objects of classes. `dataRepo` checks no rights (trusted code); `securedDataRepo` checks the rights of `as` (nobody when absent).
 * Errors: AppError not_found (unknown class or object), invalid (with faults), forbidden, stale.
 */
export interface Repository {
  list(className: string, filter?: Filter | unknown, as?: Identity | null): Promise<readonly Item[]>;
  find(
    className: string,
    options: ListOptions,
    as?: Identity | null,
  ): Promise<{ readonly items: readonly Item[]; readonly total?: number }>;
  count(className: string, filter?: unknown, as?: Identity | null): Promise<number>;
  /** Undefined when there is none. */
  get(
    className: string,
    id: string,
    options?: Pick<ListOptions, 'eager'>,
    as?: Identity | null,
  ): Promise<Item | undefined>;
  create(className: string, values: Values, options?: WriteOptions): Promise<Item>;
  edit(className: string, id: string, values: Values, options?: WriteOptions): Promise<Item>;
  /** Creates or edits, by key. */
  save(className: string, id: string | undefined, values: Values, options?: WriteOptions): Promise<Item>;
  remove(className: string, id: string, options?: WriteOptions): Promise<void>;
}
