import type { Filter, Sort } from '#query/filter.ts';

/** What a stored document may hold: JSON. Dates and decimals are strings of sortable form, made by the property type. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
export type Doc = { readonly [name: string]: Value };

export interface Stored {
  readonly id: string;
  /** Starts at 1 and grows by 1 with every write of this object. */
  readonly revision: number;
  readonly doc: Doc;
}

/**
 * `update` replaces the whole document. `expect` is the revision that must still stand: of no object, none does (`missing`).
 * `revision`: the object begins there and not at 1, as one that is moved from another store does.
 */
export type Write =
  | {
      readonly op: 'insert';
      readonly collection: string;
      readonly id: string;
      readonly doc: Doc;
      readonly revision?: number;
    }
  | {
      readonly op: 'update' | 'upsert';
      readonly collection: string;
      readonly id: string;
      readonly doc: Doc;
      readonly expect?: number;
    }
  | { readonly op: 'delete'; readonly collection: string; readonly id: string; readonly expect?: number };

/** `unique` names the index that refused; `revision` of a delete is the one that went. */
export type Written =
  | { readonly id: string; readonly revision: number }
  | { readonly id: string; readonly clash: 'exists' | 'missing' | 'stale' }
  | { readonly id: string; readonly clash: 'unique'; readonly index: string };

export interface Index {
  readonly name: string;
  readonly paths: readonly string[];
  /** Holds among objects that have a value (not null) at every path. */
  readonly unique?: boolean;
}

export interface Collection {
  readonly name: string;
  readonly indexes: readonly Index[];
}

export interface Find {
  readonly filter: Filter;
  /**
   * Null comes first ascending; text goes by code points. The id is always the last word, so that the order is total; it goes
   * in the direction of the word before it, so that an index serves both ways.
   */
  readonly sort?: Sort;
  readonly offset?: number;
  /** Callers that want more than 1,000 objects page by `after`. */
  readonly count: number;
  /** Only objects whose id is greater; goes with a missing `sort`. */
  readonly after?: string;
}

/** Where objects live. What `test/contracts/object-store.ts` does not pin down, callers may not rely on. */
export interface ObjectStore {
  /**
   * Makes collections and indexes; idempotent, also by two processes at once. Indexes of these collections that are no longer
   * named are dropped. Unique data that clashes is a `conflict` whose detail names the index; nothing is changed then.
   */
  prepare(collections: readonly Collection[]): Promise<void>;
  /** In the order of the ids; undefined for what does not exist. A collection that was never prepared or written to is empty. */
  get(collection: string, ids: readonly string[]): Promise<readonly (Stored | undefined)[]>;
  /** A path that cannot be an attribute's name, and a filter beyond what the store can run, are a `bad_request`. */
  find(collection: string, find: Find): Promise<readonly Stored[]>;
  count(collection: string, filter: Filter): Promise<number>;
  /**
   * One answer per write, in order, across collections. Durable when it resolves. With `atomic`, one clash: nothing is stored
   * (where the store has transactions, nor seen by any reader); the first clash is sure to be told in its place, the other
   * answers say nothing then. Two writes of one object in a batch happen in order.
   */
  write(writes: readonly Write[], how: { readonly atomic: boolean }): Promise<readonly Written[]>;
  /** Reserves `howMany` numbers and gives the first (1 for a new counter). No number is given twice, also by two processes. */
  reserve(counter: string, howMany: number): Promise<number>;
  /** Makes the counter go on above `floor`; never lowers it. */
  raise(counter: string, floor: number): Promise<void>;
  /** Every counter with the number it gave last, for moving data; absent: the store cannot tell. */
  counters?(): Promise<ReadonlyMap<string, number>>;
  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
