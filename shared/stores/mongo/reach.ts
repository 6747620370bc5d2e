import { AppError } from '#errors.ts';
import type { Filter } from '#query/filter.ts';
import { filterToMongo, tooDeep, type Reached, type Some } from './filter-to-mongo.ts';
import { fieldOf } from './names.ts';
import type { Objects } from './collections.ts';

const maxReach = 30; // one behind the other
const maxSome = 1_000; // in one filter
const maxIds = 200_000;
const maxBytes = 12_000_000; // of them; a query ends at 16 MB

/**
 * Looks up the objects that each `some` of the filter asks for, the innermost first: a query of its own for each, that an
 * index can serve. Errors: bad_request for more than 200,000 ids.
 */
export async function findReached(filter: Filter, objects: Objects, depth = 0): Promise<Reached> {
  const found = new Map<Some, readonly string[]>();
  const asked = somesOf(filter);
  if (asked.length === 0) return found;
  if (depth >= maxReach) throw tooDeep();
  if (asked.length > maxSome) throw new AppError('bad_request', 'the filter has too many conditions on other objects');
  for (const some of asked) found.set(some, await findIds(some, objects, depth));
  return found;
}

/** Without recursion: the depth is the sender's choice. Those within another `some` are not among them. */
function somesOf(filter: Filter): readonly Some[] {
  const somes: Some[] = [];
  const ahead: Filter[] = [filter];
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    if (part.op === 'some') somes.push(part);
    else if (part.op === 'not') ahead.push(part.part);
    else if (part.op === 'and' || part.op === 'or') ahead.push(...part.parts);
  }
  return somes;
}

async function findIds({ reach, part }: Some, objects: Objects, depth: number): Promise<readonly string[]> {
  const field = reach.kind === 'back' ? fieldOf(reach.path) : '_id';
  const condition = filterToMongo(part, await findReached(part, objects, depth + 1));
  const cursor = objects(reach.collection)
    .find(condition, { projection: { [field]: 1 }, batchSize: 10_000 })
    .map(({ _id, d }) => (field === '_id' ? _id : keyOf(Object.values(d ?? {})[0])));
  const ids = new Set<string>();
  let bytes = 0;
  for await (const id of cursor) {
    if (id === undefined || ids.has(id)) continue;
    ids.add(id);
    bytes += Buffer.byteLength(id) + 16;
    if (ids.size > maxIds || bytes > maxBytes)
      throw new AppError('bad_request', `the filter reaches more than ${maxIds} objects`);
  }
  return Array.from(ids);
}

const keyOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
