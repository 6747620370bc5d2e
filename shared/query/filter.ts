export type Scalar = string | number | boolean;

/** How `some` reaches other objects: a reference or a list of ids in this object, or a reference back from the other. */
export interface Reach {
  readonly kind: 'reference' | 'list' | 'back';
  /** Of `reference` and `list` in this object, of `back` in the other one. */
  readonly path: string;
  readonly collection: string;
  /** Code of the class that is reached, for those who add conditions on its objects (narrow.ts). */
  readonly target?: string;
}

/**
 * A checked condition on one object. Paths are attribute names as stored (`_id` is the key); a missing value is null.
 * Values are in stored form and of the attribute's type. `match` has literal pieces with anything between them.
 */
export type Filter =
  | { readonly op: 'all' }
  | { readonly op: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly op: 'not'; readonly part: Filter }
  | { readonly op: 'eq'; readonly path: string; readonly value: Scalar | null }
  | { readonly op: 'lt' | 'lte' | 'gt' | 'gte'; readonly path: string; readonly value: Scalar }
  | { readonly op: 'in'; readonly path: string; readonly values: readonly (Scalar | null)[] }
  /** Case-insensitive substring, in every alphabet. */
  | { readonly op: 'like'; readonly path: string; readonly text: string }
  /** Case-sensitive: `pieces` in order with anything between; anchored where said. */
  | {
      readonly op: 'match';
      readonly path: string;
      readonly pieces: readonly string[];
      readonly start: boolean;
      readonly end: boolean;
    }
  /** Null, missing, `""` or `[]`. */
  | { readonly op: 'empty'; readonly path: string }
  /** The stored list holds the value. */
  | { readonly op: 'has'; readonly path: string; readonly value: Scalar }
  /** At least one object that can be reached fulfils `part`. */
  | { readonly op: 'some'; readonly reach: Reach; readonly part: Filter };

export type Sort = readonly { readonly path: string; readonly descending: boolean }[];

export const all: Filter = { op: 'all' };
export const none: Filter = { op: 'or', parts: [] };
export const and = (...parts: readonly Filter[]): Filter => {
  const real = parts.filter((part) => part.op !== 'all');
  return real.length === 1 ? real[0]! : real.length === 0 ? all : { op: 'and', parts: real };
};
/** The opposite; twice is none. */
export const negate = (part: Filter): Filter => (part.op === 'not' ? part.part : { op: 'not', part });
export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
