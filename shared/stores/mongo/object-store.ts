import type { Connection, mongo } from 'mongoose';
import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';
import type { Filter, Sort } from '#query/filter.ts';
import type { ObjectStore, Stored } from '../object-store.ts';
import { createCollections } from './collections.ts';
import { createCounters } from './counters.ts';
import { toStored, type StoredDocument } from './document.ts';
import { filterToMongo } from './filter-to-mongo.ts';
import type { Gate } from './gate.ts';
import { fieldOf } from './names.ts';
import { findReached } from './reach.ts';
import { createAtomicWriter } from './write-atomic.ts';
import { writeEach } from './write-each.ts';
import { writeOne } from './write-one.ts';

export interface MongoObjectStoreDeps {
  readonly connection: Connection;
  readonly gate: Gate;
  readonly log: Log;
  readonly transactions: boolean;
}

const chunk = 10_000; // ids in one query
const maxSort = 30; // MongoDB sorts by 32

/** Closing it lets the calls under way end; the connection is its owner's. */
export function createMongoObjectStore({ connection, gate, log, transactions }: MongoObjectStoreDeps): ObjectStore {
  const collections = createCollections(connection);
  const { objects } = collections;
  const counters = createCounters(connection);
  const writeAtomic = createAtomicWriter({ connection, collections, log, transactions });
  /** Every call but `prepare`, which may take its time over much data. */
  const timed = <T>(call: () => Promise<T>): Promise<T> => gate.pass(call, 'timed');
  const query = async (filter: Filter) => filterToMongo(filter, await findReached(filter, objects));

  return {
    prepare: (wanted) => gate.pass(() => collections.prepare(wanted)),
    get: (collection, ids) =>
      timed(async () => {
        const found = new Map<string, Stored>();
        for (let from = 0; from < ids.length; from += chunk) {
          const part = ids.slice(from, from + chunk);
          for (const one of await findAll(objects(collection), { _id: { $in: part } }, { batchSize: chunk })) {
            found.set(one.id, one);
          }
        }
        return ids.map((id) => found.get(id));
      }),
    find: (collection, { filter, sort = [], offset = 0, count, after }) =>
      timed(async () => {
        const limit = Math.max(0, Math.trunc(count));
        const order = toOrder(sort);
        const condition = await query(filter);
        if (limit === 0) return []; // which means all to MongoDB
        const page = after === undefined ? condition : { $and: [condition, { _id: { $gt: after } }] };
        const skip = Math.max(0, Math.trunc(offset));
        return findAll(objects(collection), page, {
          sort: order,
          skip,
          limit,
          batchSize: Math.min(limit, chunk),
          allowDiskUse: true,
        });
      }),
    count: (collection, filter) =>
      timed(async () => objects(collection).countDocuments((await query(filter)) as mongo.Filter<StoredDocument>)),
    write: (writes, { atomic }) =>
      timed(async () => {
        await collections.ensure(
          writes.flatMap(({ op, collection }) => (op === 'insert' || op === 'upsert' ? [collection] : [])),
        );
        if (writes.length === 1) return [await writeOne(collections, writes[0]!)];
        return atomic ? writeAtomic(writes) : writeEach(collections, writes);
      }),
    reserve: (counter, howMany) => timed(() => counters.reserve(counter, howMany)),
    raise: (counter, floor) => timed(() => counters.raise(counter, floor)),
    counters: () => timed(() => counters.counters()),
    ping: () => timed(async () => void (await connection.db!.command({ ping: 1 }))),
    close: () => gate.close(),
  };
}

async function findAll(
  objects: mongo.Collection<StoredDocument>,
  condition: object,
  options: mongo.FindOptions,
): Promise<Stored[]> {
  const projection = { w: 0 } as const;
  const found = await objects.find(condition, { projection, ...options }).toArray();
  return found.map(toStored);
}

/** The id is the last word, in the direction of the word before it; what comes after it says nothing. */
function toOrder(sort: Sort): Record<string, 1 | -1> {
  const order: Record<string, 1 | -1> = {};
  for (const { path, descending } of sort) {
    const field = fieldOf(path);
    if (!('_id' in order)) order[field] ??= descending ? -1 : 1;
  }
  if (Object.keys(order).length > maxSort) throw new AppError('bad_request', 'the order has too many words');
  order['_id'] ??= sort.at(-1)?.descending ? -1 : 1;
  return order;
}
