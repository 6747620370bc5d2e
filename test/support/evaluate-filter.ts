import { unreachable } from '#errors.ts';
import type { Filter, Reach } from '#query/filter.ts';
import type { Stored, Value } from '#stores/object-store.ts';

export type Objects = Readonly<Record<string, readonly Stored[]>>;

const valueOf = ({ id, doc }: Stored, path: string): Value => (path === '_id' ? id : (doc[path] ?? null));
const keyOf = (value: Value): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Below zero, zero, above zero; text by code points. */
export function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** What every store has to answer, said plainly: one object at a time, nothing compiled. */
export function evaluateFilter(filter: Filter, object: Stored, objects: Objects = {}): boolean {
  const holds = (part: Filter): boolean => evaluateFilter(part, object, objects);
  switch (filter.op) {
    case 'all':
      return true;
    case 'and':
      return filter.parts.every(holds);
    case 'or':
      return filter.parts.some(holds);
    case 'not':
      return !holds(filter.part);
    case 'some':
      return reached(filter.reach, object, objects).some((other) => evaluateFilter(filter.part, other, objects));
    default:
      return evaluateLeaf(filter, valueOf(object, filter.path));
  }
}

type Leaf = Extract<Filter, { path: string }>;

function evaluateLeaf(filter: Leaf, value: Value): boolean {
  switch (filter.op) {
    case 'eq':
      return value === filter.value;
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte': {
      if (typeof value !== typeof filter.value) return false;
      const order = compareValues(value, filter.value);
      return { lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 }[filter.op];
    }
    case 'in':
      return filter.values.some((one) => one === value);
    case 'like':
      return typeof value === 'string' && fold(value).includes(fold(filter.text));
    case 'match': {
      const pattern = filter.pieces.map(literal).join('[^]*');
      return (
        typeof value === 'string' &&
        new RegExp(`${filter.start ? '^' : ''}${pattern}${filter.end ? '$' : ''}`, 'u').test(value)
      );
    }
    case 'empty':
      return value === null || value === '' || (Array.isArray(value) && value.length === 0);
    case 'has':
      return Array.isArray(value) && value.includes(filter.value);
    default:
      return unreachable(filter);
  }
}

function reached({ kind, path, collection }: Reach, object: Stored, objects: Objects): readonly Stored[] {
  const others = objects[collection] ?? [];
  const value = valueOf(object, path);
  switch (kind) {
    case 'reference':
      return others.filter((other) => other.id === keyOf(value));
    case 'list':
      return others.filter((other) => Array.isArray(value) && value.some((one: Value) => keyOf(one) === other.id));
    case 'back':
      return others.filter((other) => keyOf(valueOf(other, path)) === object.id);
    default:
      return unreachable(kind);
  }
}
