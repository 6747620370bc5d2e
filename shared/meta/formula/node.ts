import type { Scope } from '../class.ts';

/** A formula as a tree. */
export type Node =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[]; readonly operator: Operator };

export type Evaluate = (node: Node, scope: Scope) => unknown;

export interface Operator {
  /** Fewest and most arguments. */
  readonly takes: readonly [number, number];
  /** Whether its further arguments are evaluated for the items of the collection that the first one names. */
  readonly overItems?: boolean;
  /** Whether a text in the first place would name a whole class. */
  readonly reachesOut?: boolean;
  run(args: readonly Node[], scope: Scope, evaluate: Evaluate): unknown;
}

/** An operator of plain values: all arguments are evaluated first. */
export const plain = (
  least: number,
  most: number,
  run: (values: readonly unknown[], scope: Scope) => unknown,
): Operator => ({
  takes: [least, most],
  run: (args, scope, evaluate) =>
    run(
      args.map((arg) => evaluate(arg, scope)),
      scope,
    ),
});

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

export const isTrue = (value: unknown): boolean => !isEmpty(value) && value !== false && value !== 0;

/** A missing number counts as 0; undefined: no number. */
export function numberOf(value: unknown): number | undefined {
  if (isEmpty(value)) return 0;
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : isEmpty(value) ? '' : JSON.stringify(value);

/** Below 0, 0, above 0; undefined: not comparable. Numbers also with texts that are numbers. */
export function compare(a: unknown, b: unknown): number | undefined {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b) ? 0 : undefined;
  if (typeof a === 'number' || typeof b === 'number') {
    const [x, y] = [numberOf(a), numberOf(b)];
    return x === undefined || y === undefined ? undefined : x - y;
  }
  const [x, y] = [textOf(a), textOf(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Sums of decimals without the noise of binary fractions; null for what is no number. */
export const tidy = (number: number): number | null =>
  Number.isFinite(number) ? (Number.isInteger(number) ? number : Number(number.toPrecision(15))) : null;
