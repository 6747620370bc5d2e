import type { Comparison } from './condition.ts';
import { queryFault, quote } from './fault.ts';
import { and, negate, type Filter } from './filter.ts';
import type { Reader } from './reader.ts';

/** The numbers of the old list, with a property. */
const operations: readonly (Comparison | 'contains')[] = [
  'eq',
  'ne',
  'empty',
  'nempty',
  'like',
  'lt',
  'gt',
  'lte',
  'gte',
  'in',
  'contains',
];
/** Without a property. */
const joins = ['and', 'or', 'not'] as const;

/** `[{ property, operation, value, nestedConditions }]`: all must hold. */
export const parseConditionList = (list: readonly unknown[], reader: Reader): Filter =>
  and(...list.map((one) => (isOld(one) ? parseOne(one, reader) : reader.condition(one))));

interface OldCondition {
  readonly property?: unknown;
  readonly operation?: unknown;
  readonly value?: unknown;
  readonly nestedConditions?: unknown;
}

const isOld = (raw: unknown): raw is OldCondition =>
  typeof raw === 'object' && raw !== null && Object.hasOwn(raw, 'operation');

function parseOne({ property, operation, value, nestedConditions }: OldCondition, reader: Reader): Filter {
  const number = typeof operation === 'string' && /^\d+$/.test(operation) ? Number(operation) : operation;
  const nested = Array.isArray(nestedConditions) ? (nestedConditions as readonly unknown[]) : [];
  if (property === null || property === undefined || property === '') return join(number, nested, reader);
  const word = typeof number === 'number' ? operations[number] : undefined;
  if (word === undefined) throw queryFault(`${quote(operation)} is no operation`);
  if (typeof property !== 'string') throw queryFault(`${quote(property)} is no attribute`);
  if (word === 'contains') return reader.contains(property, nested.length > 0 ? nested : single(value));
  return reader.compare(word, property, word === 'in' ? value : single(value));
}

function join(number: unknown, nested: readonly unknown[], reader: Reader): Filter {
  const word = typeof number === 'number' ? joins[number] : undefined;
  if (word === undefined) throw queryFault(`${quote(number)} is no operation without a property`);
  const parts = nested.map((one) => reader.condition([one]));
  if (word === 'or') return { op: 'or', parts };
  return word === 'and' ? and(...parts) : negate(and(...parts));
}

/** Old conditions write a single value as a list of one. */
const single = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? (value as readonly unknown[])[0] : (value ?? null);
