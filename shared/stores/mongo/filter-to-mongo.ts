import { AppError, unreachable } from '#errors.ts';
import type { Filter, Scalar } from '#query/filter.ts';
import { simplify } from '../simplify-filter.ts';
import { likePattern, literal } from './like-pattern.ts';
import { fieldOf } from './names.ts';

/** A MongoDB query. Values stand under an operator, and are scalars: none can become one. */
export type Condition = Readonly<Record<string, unknown>>;
export type Some = Extract<Filter, { op: 'some' }>;

/** Ids of the objects that fulfil the part; of `back`, ids that those refer to. */
export type Reached = ReadonlyMap<Some, readonly string[]>;

const maxDepth = 90; // MongoDB refuses queries from 100 on
const maxPattern = 30_000; // bytes; PCRE's end is near

export const tooDeep = (): AppError => new AppError('bad_request', 'the filter is nested too deeply');

/** A condition on StoredDocument. What is null is missing there; no value of a list counts as the attribute's value. */
export function filterToMongo(filter: Filter, reached: Reached): Condition {
  return compile(filter, reached, 0);
}

function compile(given: Filter, reached: Reached, depth: number): Condition {
  if (depth > maxDepth) throw tooDeep();
  const filter = simplify(given);
  const inner = (part: Filter): Condition => compile(part, reached, depth + 1);
  switch (filter.op) {
    case 'all':
      return {};
    case 'and':
      return filter.parts.length === 0 ? {} : { $and: filter.parts.map(inner) };
    case 'or':
      return filter.parts.length === 0 ? nothing : { $or: filter.parts.map(inner) };
    case 'not':
      return { $nor: [inner(filter.part)] };
    case 'eq':
      return filter.value === null ? absent(filter.path) : at(filter.path, { $eq: operand(filter.path, filter.value) });
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return at(filter.path, { [`$${filter.op}`]: operand(filter.path, filter.value) });
    case 'in':
      return at(filter.path, {
        $in: filter.values.map((value) => (value === null ? null : operand(filter.path, value))),
      });
    case 'like':
      return at(filter.path, { $regex: checked(likePattern(filter.text)) });
    case 'match':
      return match(filter);
    case 'empty':
      return { $or: [at(filter.path, { $in: [null, ''] }), { [fieldOf(filter.path)]: { $size: 0 } }] };
    case 'has':
      return inList(filter.path, { $eq: operand(filter.path, filter.value) });
    case 'some':
      return some(filter, reached.get(filter) ?? []);
    default:
      return unreachable(filter);
  }
}

const nothing: Condition = { _id: { $in: [] } };

/** MongoDB would look into lists, too: what is asked is the value itself. */
const at = (path: string, condition: Condition): Condition =>
  path === '_id' ? { _id: condition } : { [fieldOf(path)]: { ...condition, $not: { $type: 'array' } } };

const absent = (path: string): Condition => (path === '_id' ? nothing : { [fieldOf(path)]: { $exists: false } });

function operand(path: string, value: Scalar): Scalar {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new AppError('bad_request', 'not a number that can be stored');
  return path === '_id' ? String(value) : value;
}

function checked(pattern: string): string {
  if (Buffer.byteLength(pattern) > maxPattern) throw new AppError('bad_request', 'the pattern is too long');
  return pattern;
}

function match({ path, pieces, start, end }: Extract<Filter, { op: 'match' }>): Condition {
  const middle = pieces.map(literal).join('[\\s\\S]*');
  return at(path, { $regex: checked(`${start ? '^' : ''}${middle}${end ? '\\z' : ''}`) });
}

const inList = (path: string, item: Condition): Condition =>
  path === '_id' ? nothing : { [fieldOf(path)]: { $elemMatch: item } };

/** References that are numbers count as text. */
function some({ reach: { kind, path } }: Some, ids: readonly string[]): Condition {
  switch (kind) {
    case 'reference':
      return at(path, { $in: path === '_id' ? ids : ids.flatMap(inBothForms) });
    case 'list':
      return inList(path, { $in: ids.flatMap(inBothForms) });
    case 'back':
      return { _id: { $in: ids } };
    default:
      return unreachable(kind);
  }
}

const inBothForms = (id: string): readonly Scalar[] => {
  const number = Number(id);
  return Number.isFinite(number) && String(number) === id ? [id, number] : [id];
};
