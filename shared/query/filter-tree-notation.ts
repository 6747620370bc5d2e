import type { Comparison } from './condition.ts';
import { queryFault, quote } from './fault.ts';
import { all, and, negate, type Filter } from './filter.ts';
import type { Reader } from './reader.ts';

const comparisons: ReadonlySet<string> = new Set<Comparison>(['eq', 'lt', 'lte', 'gt', 'gte', 'like']);

/** `{ op: 'eq', path, value }`, the tree that services build in code: read like any other notation, so nothing in it goes unchecked. */
export function parseFilterTree(raw: object, reader: Reader): Filter {
  const { op, path, value, values, text, part, parts } = raw as Readonly<Record<string, unknown>>;
  if (op === 'all') return all;
  if (op === 'and') return and(...listOf(op, parts).map(reader.condition));
  if (op === 'or') return { op, parts: listOf(op, parts).map(reader.condition) };
  if (op === 'not') return negate(reader.condition(part));
  if (typeof op !== 'string' || typeof path !== 'string') throw queryFault(`${quote(op)} is no operator`);
  if (op === 'in') return reader.compare('in', path, values);
  if (op === 'has') return reader.contains(path, value);
  if (op === 'empty') return reader.compare('empty', path, null);
  if (comparisons.has(op)) return reader.compare(op as Comparison, path, op === 'like' ? text : value);
  throw queryFault(`${quote(op)} is no operator`);
}

function listOf(op: string, raw: unknown): readonly unknown[] {
  if (!Array.isArray(raw)) throw queryFault(`${quote(op)} takes a list of conditions`);
  return raw;
}
