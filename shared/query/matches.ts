import { unreachable } from '#errors.ts';
import type { Doc, Value } from '#stores/object-store.ts';
import { isScalar, type Filter, type Reach, type Scalar } from './filter.ts';

/** An object as filters see it. */
export interface Candidate {
  readonly id: string;
  readonly doc: Doc;
}

/** Objects that were loaded, for conditions that reach others. */
export type Reached = (reach: Reach, from: Candidate) => readonly Candidate[];

/** Whether an object in memory fulfils a filter: the same answer as a store gives, with what `reached` knows of others. */
export function matches(filter: Filter, object: Candidate, reached: Reached = () => []): boolean {
  switch (filter.op) {
    case 'all': return true;
    case 'and': return filter.parts.every((part) => matches(part, object, reached));
    case 'or': return filter.parts.some((part) => matches(part, object, reached));
    case 'not': return !matches(filter.part, object, reached);
    case 'eq': return same(at(object, filter.path), filter.value);
    case 'lt': case 'lte': case 'gt': case 'gte': return ordered(filter.op, at(object, filter.path), filter.value);
    case 'in': return filter.values.some((value) => same(at(object, filter.path), value));
    case 'like': return textAt(object, filter.path)?.toLowerCase().includes(filter.text.toLowerCase()) ?? false;
    case 'match': return matchesPieces(textAt(object, filter.path), filter);
    case 'empty': return isEmpty(at(object, filter.path));
    case 'has': return listAt(object, filter.path).includes(filter.value);
    case 'some': return reached(filter.reach, object).some((other) => matches(filter.part, other, reached));
    default: return unreachable(filter);
  }
} // prettier-ignore

const at = ({ id, doc }: Candidate, path: string): Value =>
  path === '_id' ? id : Object.hasOwn(doc, path) ? doc[path]! : null;

const textAt = (object: Candidate, path: string): string | undefined => {
  const value = at(object, path);
  return typeof value === 'string' ? value : undefined;
};

const listAt = (object: Candidate, path: string): readonly Value[] => {
  const value = at(object, path);
  return Array.isArray(value) ? (value as readonly Value[]) : [];
};

const same = (value: Value, wanted: Scalar | null): boolean => (value ?? null) === wanted;

const isEmpty = (value: Value): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

function ordered(op: 'lt' | 'lte' | 'gt' | 'gte', value: Value, bound: Scalar): boolean {
  if (!isScalar(value) || typeof value !== typeof bound) return false;
  if (op === 'lt') return value < bound;
  if (op === 'lte') return value <= bound;
  return op === 'gt' ? value > bound : value >= bound;
}

function matchesPieces(text: string | undefined, { pieces, start, end }: Extract<Filter, { op: 'match' }>): boolean {
  if (text === undefined) return false;
  let from = 0;
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    const found = isLast && end ? text.length - piece.length : text.indexOf(piece, from);
    if (found < from || !text.startsWith(piece, found) || (index === 0 && start && found !== 0)) return false;
    from = found + piece.length;
  }
  return true;
}
