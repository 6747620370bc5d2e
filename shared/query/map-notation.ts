import type { Comparison } from './condition.ts';
import { queryFault, quote } from './fault.ts';
import { and, negate, type Filter } from './filter.ts';
import type { Reader } from './reader.ts';

const comparisons: ReadonlyMap<string, Comparison> = new Map([
  ['$eq', 'eq'], ['$ne', 'ne'], ['$lt', 'lt'], ['$lte', 'lte'], ['$gt', 'gt'], ['$gte', 'gte'], ['$in', 'in'], ['$regex', 'regex'],
]); // prettier-ignore

/** `{ "attribute": { "$eq": value } }`, `{ "$or": [ … ] }`. Several keys are a conjunction; a plain value means equality. */
export function parseMap(key: string, raw: unknown, reader: Reader): Filter {
  if (key === '$and') return and(...conditions(key, raw).map(reader.condition));
  if (key === '$or') return { op: 'or', parts: conditions(key, raw).map(reader.condition) };
  if (key === '$not') return negate(reader.condition(raw));
  if (key.startsWith('$')) throw queryFault(`${quote(key)} is no operator`);
  return onAttribute(key, raw, reader);
}

function onAttribute(path: string, raw: unknown, reader: Reader): Filter {
  if (raw === undefined) throw queryFault(`${quote(path)} has no value`, path);
  if (typeof raw !== 'object' || raw === null || raw instanceof Date) return reader.compare('eq', path, raw);
  const entries = Object.entries(raw) as [string, unknown][];
  if (Array.isArray(raw) || entries.length === 0) {
    throw queryFault(`${quote(path)} takes a value or operators such as {"$eq": value}`, path);
  }
  const parts = entries.map(([operator, value]) => {
    if (operator === '$not') return negate(onAttribute(path, value, reader));
    const word = comparisons.get(operator);
    if (word === undefined) throw queryFault(`${quote(operator)} is no operator (${path})`, path);
    return reader.compare(word, path, value);
  });
  return and(...parts);
}

function conditions(key: string, raw: unknown): readonly unknown[] {
  if (!Array.isArray(raw)) throw queryFault(`${quote(key)} takes a list of conditions`);
  return raw;
}
