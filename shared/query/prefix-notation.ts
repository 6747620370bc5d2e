import { queryFault, quote } from './fault.ts';
import { and, negate, type Filter } from './filter.ts';
import type { Reader } from './reader.ts';

const comparisons = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'like'] as const;
const words = new Set<string>([...comparisons, 'and', 'or', 'not', 'in', 'empty', 'nempty', 'contains']);

/** Whether a key is an operator here and no attribute: an attribute of that name is one unless a list follows. */
export const isPrefix = (key: string, value: unknown, { has }: Pick<Reader, 'has'>): boolean =>
  words.has(key) && (!has(key) || Array.isArray(value));

/** `{ "eq": ["$attribute", value] }`. Only the first argument is ever read as an attribute. */
export function parsePrefix(word: string, raw: unknown, reader: Reader): Filter {
  switch (word) {
    case 'and': return and(...listOf(raw).map(reader.condition));
    case 'or': return { op: 'or', parts: listOf(raw).map(reader.condition) };
    case 'not': return negate(reader.condition(one(word, raw)));
    case 'empty': case 'nempty': return reader.compare(word, pathIn(word, one(word, raw)), null);
    case 'in': return parseIn(raw, reader);
    case 'contains': return reader.contains(...pair(word, raw));
    default: return reader.compare(comparison(word), ...pair(word, raw));
  }
} // prettier-ignore

const comparison = (word: string): (typeof comparisons)[number] => {
  const known = comparisons.find((each) => each === word);
  if (!known) throw queryFault(`${quote(word)} is no operator`);
  return known;
};

const listOf = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw : [raw]);

function one(word: string, raw: unknown): unknown {
  const list = listOf(raw);
  if (list.length !== 1) throw queryFault(`${quote(word)} takes one argument`);
  return list[0];
}

function pair(word: string, raw: unknown): [string, unknown] {
  if (!Array.isArray(raw) || raw.length !== 2)
    throw queryFault(`${quote(word)} takes a list of two: ["$attribute", value]`);
  return [pathIn(word, raw[0]), raw[1]];
}

/** `["$a", ["x", "y"]]` or flat, `["$a", "x", "y"]`. */
function parseIn(raw: unknown, reader: Reader): Filter {
  const [first, ...values] = listOf(raw);
  const path = pathIn('in', first);
  return reader.compare('in', path, values.length === 1 && Array.isArray(values[0]) ? values[0] : values);
}

function pathIn(word: string, raw: unknown): string {
  if (typeof raw === 'string' && raw.startsWith('$') && raw.length > 1) return raw.slice(1);
  throw queryFault(`${quote(word)} begins with an attribute, such as "$name", not with ${quote(raw)}`);
}
