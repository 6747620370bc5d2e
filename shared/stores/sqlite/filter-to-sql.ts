import { AppError, unreachable } from '#errors.ts';
import type { Filter, Reach, Scalar } from '#query/filter.ts';
import { column, fold, jsonPath } from './column.ts';
import { simplify } from '../simplify-filter.ts';
import type { Bound } from './open.ts';

export interface Sql {
  readonly text: string;
  readonly values: readonly Bound[];
}
/** `height` counts nested operators, `size` conditions. */
interface Part extends Sql {
  readonly height: number;
  readonly size: number;
}

/** Name of the table of a collection; undefined when there is none, which holds no object then. */
export type TableOf = (collection: string) => string | undefined;

const maxHeight = 900; // SQLite refuses expressions from 1000 on
const maxDepth = 300;
const reachHeight = 30; // a subquery counts with all that it holds
const maxValues = 32_766;
const maxPattern = 50_000; // bytes

/** A condition on the columns `id` and `doc`. Values travel as parameters only. Nothing known and null are not true. */
export function filterToSql(filter: Filter, tableOf: TableOf): Sql {
  const { text, values, height } = compile(filter, tableOf, 0);
  if (height > maxHeight) throw new AppError('bad_request', 'the filter is nested too deeply');
  if (values.length > maxValues) throw new AppError('bad_request', 'the filter has too many conditions');
  return { text, values };
}

function compile(given: Filter, tableOf: TableOf, depth: number): Part {
  if (depth > maxDepth) throw new AppError('bad_request', 'the filter is nested too deeply');
  const filter = simplify(given);
  const inner = (part: Filter): Part => compile(part, tableOf, depth + 1);
  switch (filter.op) {
    case 'all':
      return leaf('1');
    case 'and':
    case 'or':
      return join(
        filter.parts.map((part) => inner(part)),
        filter.op,
      );
    case 'not': {
      const part = inner(filter.part);
      return { ...part, text: `not ifnull(${part.text}, 0)`, height: part.height + 2 };
    }
    case 'eq':
      return compare(filter.path, '=', filter.value);
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return range(filter.path, filter.op, filter.value);
    case 'in':
      return oneOf(filter.path, filter.values);
    case 'like':
      return leaf(`instr(fold(${column(filter.path)}), ?) > 0`, fold(filter.text));
    case 'match':
      return match(filter);
    case 'empty':
      return empty(filter.path);
    case 'has':
      return inList(filter.path, leaf(`atom = ${parameter}`, json(filter.value)));
    case 'some':
      return some(filter.reach, inner(filter.part), tableOf);
    default:
      return unreachable(filter);
  }
}

const leaf = (text: string, ...values: readonly Bound[]): Part => ({ text, values, height: 4, size: 1 });

/**
 * Both sides of a comparison are read by the same JSON reader: SQLite's and JavaScript's differ in the last bit of some
 * numbers. `_id` is a column of text.
 */
const parameter = `(? ->> '$')`;
const json = (value: Scalar | readonly (Scalar | null)[]): string => {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new AppError('bad_request', 'not a number that can be stored');
  return JSON.stringify(value);
};
const operand = (path: string, operator: string, value: Scalar): Part =>
  path === '_id'
    ? leaf(`id ${operator} ?`, String(value))
    : leaf(`${column(path)} ${operator} ${parameter}`, json(value));

const compare = (path: string, operator: string, value: Scalar | null): Part =>
  value === null ? leaf(`${column(path)} is null`) : operand(path, operator, value);

const operators = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** Numbers stand before texts in SQLite's order: the other kind is kept out. */
function range(path: string, op: keyof typeof operators, value: Scalar): Part {
  const bound = operand(path, operators[op], value);
  const below = op === 'lt' || op === 'lte';
  if (path === '_id' || below !== (typeof value === 'string')) return bound;
  return { ...bound, text: `(${bound.text} and ${column(path)} ${below ? '>=' : '<'} '')` };
}

function oneOf(path: string, values: readonly (Scalar | null)[]): Part {
  const real = values.filter((value) => value !== null);
  const listed = json(path === '_id' ? real.map(String) : real);
  const found = `${column(path)} in (select value from json_each(?))`; // a list of `?` ends at 32,766
  return leaf(real.length === values.length ? found : `(${found} or ${column(path)} is null)`, listed);
}

function match({ path, pieces, start, end }: Extract<Filter, { op: 'match' }>): Part {
  const literal = pieces.map((piece) => piece.replace(/[*?[]/g, '[$&]')).join('*');
  const pattern = `${start ? '' : '*'}${literal}${end ? '' : '*'}`;
  if (pattern.includes('\0') || Buffer.byteLength(pattern) > maxPattern) {
    throw new AppError('bad_request', 'the pattern is too long or holds a null character');
  }
  const prefix = (start ? pieces[0] : undefined) ?? '';
  const globbed = leaf(`(${column(path)} >= ${parameter} and ${column(path)} glob ?)`, json(prefix), pattern);
  const beyond = following(prefix); // with an upper bound an index serves
  if (beyond === undefined) return globbed;
  return join([operand(path, '<', beyond), globbed], 'and');
}

/** The least text after all that begin with the prefix, in the order of code points. */
function following(prefix: string): string | undefined {
  const points = Array.from(prefix.toWellFormed(), (character) => character.codePointAt(0)!);
  const last = points.pop();
  if (last === undefined || last === 0x10ffff) return undefined;
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}

function empty(path: string): Part {
  const nothing = `${column(path)} is null or ${column(path)} = ''`;
  if (path === '_id') return leaf(`(${nothing})`);
  return leaf(`(${nothing} or (${column(path)} = '[]' and json_type(doc, ${jsonPath(path)}) = 'array'))`);
}

/** The condition is about `atom`: the item, null for lists and objects. */
function inList(path: string, item: Part): Part {
  if (path === '_id') return leaf('0');
  const list = jsonPath(path);
  const text = `(json_type(doc, ${list}) = 'array' and exists (select 1 from json_each(doc, ${list}) where ${item.text}))`;
  return { ...item, text, height: item.height + 4 };
}

/** No subquery depends on the row around it: SQLite runs each once, and may let it drive the query. Ids that are numbers count as text. */
function some({ kind, path, collection }: Reach, part: Part, tableOf: TableOf): Part {
  const table = tableOf(collection);
  if (table === undefined) return leaf('0');
  const found: Part = { ...part, size: 1, height: part.height + reachHeight };
  const where = `from ${table} where ${part.text}`;
  switch (kind) {
    case 'reference':
      return {
        ...found,
        text: path === '_id' ? `id in (select id ${where})` : `${column(path)} in (${idsInBothForms(where)})`,
      };
    case 'list':
      return inList(path, { ...found, text: `cast(atom as text) in (select id ${where})` });
    case 'back':
      return { ...found, text: `id in (select cast(${column(path)} as text) ${where})` };
    default:
      return unreachable(kind);
  }
}

/** As text, and as a number where the id reads like one. Values of JSON have no affinity, which would keep an index from serving. */
const idsInBothForms = (where: string): string =>
  `select one.value from (select id as key ${where}) found, json_each(
    iif(cast(cast(found.key as numeric) as text) = found.key,
      json_array(found.key, cast(found.key as numeric)), json_array(found.key))) one`;

/** Planning time grows with the square of the conditions that the planner sees: it is shown the small groups. */
const opaque = (part: Part): Part => ({
  ...part,
  text: `case when ${part.text} then 1 end`,
  height: part.height + 1,
  size: 1,
});

function join(parts: readonly Part[], op: 'and' | 'or'): Part {
  if (parts.length < 2) return parts[0] ?? leaf(op === 'and' ? '1' : '0');
  const shown = parts.map((part) => (part.size > 8 ? opaque(part) : part));
  const joined: Part = {
    text: balance(
      shown.map((part) => part.text),
      op,
    ),
    values: shown.flatMap((part) => part.values),
    height: shown.reduce((most, part) => Math.max(most, part.height), 0) + Math.ceil(Math.log2(parts.length)),
    size: shown.reduce((sum, part) => sum + part.size, 0),
  };
  return parts.length > 32 ? opaque(joined) : joined;
}

const balance = (texts: readonly string[], op: string): string => {
  if (texts.length === 1) return texts[0]!;
  const half = texts.length >> 1;
  return `(${balance(texts.slice(0, half), op)} ${op} ${balance(texts.slice(half), op)})`;
};
