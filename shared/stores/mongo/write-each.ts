import { randomBytes } from 'node:crypto';
import { mongo } from 'mongoose';
import type { Write, Written } from '../object-store.ts';
import type { Collections } from './collections.ts';
import { toBody, type StoredDocument } from './document.ts';
import { inParallel } from './in-parallel.ts';
import { toUpdate, writeOne } from './write-one.ts';

/** A write and its place in the batch. */
interface Entry {
  readonly write: Write;
  readonly place: number;
}

/** What did not go through with the others, for whatever reason, is done alone and gets its own answer. */
export async function writeEach(collections: Collections, writes: readonly Write[]): Promise<readonly Written[]> {
  const answers: Written[] = [];
  for (const segment of segmentsOf(writes)) {
    const byCollection = Map.groupBy(segment, ({ write }) => write.collection);
    for (const [collection, entries] of byCollection) {
      const alone = await writeTogether(collections, collection, entries.toSorted(byId), answers);
      await inParallel(alone.toSorted((a, b) => a.place - b.place), async ({ write, place }) => {
        answers[place] = await writeOne(collections, write);
      }); // prettier-ignore
    }
  }
  return answers;
}

/** Two that write the same objects in different order would wait for each other. */
const byId = (a: Entry, b: Entry): number => (a.write.id < b.write.id ? -1 : Number(a.write.id > b.write.id));

/** Two writes of one object are in different segments, and so in their order. */
function segmentsOf(writes: readonly Write[]): readonly (readonly Entry[])[] {
  const segments: Entry[][] = [];
  let seen = new Set<string>();
  for (const [place, write] of writes.entries()) {
    const key = JSON.stringify([write.collection, write.id]);
    if (segments.length === 0 || seen.has(key)) {
      segments.push([]);
      seen = new Set();
    }
    seen.add(key);
    segments.at(-1)!.push({ write, place });
  }
  return segments;
}

/** Gives back those that have no answer yet. */
async function writeTogether(
  collections: Collections,
  collection: string,
  entries: readonly Entry[],
  answers: Written[],
): Promise<readonly Entry[]> {
  if (entries.length < 3) return entries;
  const objects = collections.objects(collection);
  const read = entries.flatMap(({ write: { op, id } }) => (op === 'update' || op === 'upsert' ? [id] : []));
  const revisions = await readRevisions(objects, read);
  const alone: Entry[] = [];
  const inserts: Prepared[] = [];
  const updates: Prepared[] = [];
  for (const entry of entries) {
    const { write, place } = entry;
    const stands = revisions.get(write.id);
    if (write.op === 'delete') alone.push(entry);
    else if (write.op === 'insert') inserts.push(prepare(entry, write.revision ?? 1));
    else if (write.op === 'upsert' && write.expect === undefined && stands === undefined)
      inserts.push(prepare(entry, 1));
    else if (stands === undefined) answers[place] = { id: write.id, clash: 'missing' };
    else if (write.expect !== undefined && write.expect !== stands) answers[place] = { id: write.id, clash: 'stale' };
    else updates.push(prepare(entry, stands + 1));
  }
  const refused = new Set([...(await insertAll(objects, inserts)), ...(await updateAll(objects, updates))]);
  for (const one of [...inserts, ...updates]) {
    if (refused.has(one)) alone.push(one.entry);
    else answers[one.entry.place] = { id: one.document._id, revision: one.document.r };
  }
  return alone;
}

interface Prepared {
  readonly entry: Entry;
  readonly document: StoredDocument;
}

function prepare(entry: Entry, revision: number): Prepared {
  const { id, doc } = entry.write as Exclude<Write, { op: 'delete' }>;
  return { entry, document: { _id: id, r: revision, ...toBody(doc) } };
}

type StoredObjects = mongo.Collection<StoredDocument>;

async function readRevisions(objects: StoredObjects, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const found = objects.find({ _id: { $in: ids } }, { projection: { r: 1 }, batchSize: 10_000 });
  return new Map((await found.toArray()).map(({ _id, r }) => [_id, r]));
}

async function insertAll(objects: StoredObjects, all: readonly Prepared[]): Promise<readonly Prepared[]> {
  if (all.length === 0) return [];
  return refusedOf(all, () => objects.insertMany(all.map(({ document }) => document), { ordered: false })); // prettier-ignore
}

async function updateAll(objects: StoredObjects, all: readonly Prepared[]): Promise<readonly Prepared[]> {
  if (all.length === 0) return [];
  const batch = newBatch();
  const operations = all.map(({ document: { _id, ...document } }) => ({
    updateOne: { filter: { _id, r: document.r - 1 }, update: toUpdate(document, batch) },
  }));
  let matched = 0;
  const refused = await refusedOf(all, async () => {
    matched = (await objects.bulkWrite(operations, { ordered: false })).matchedCount;
  });
  if (matched === all.length) return [];
  const ids = all.map(({ document }) => document._id);
  const written = objects.find({ _id: { $in: ids }, w: batch }, { projection: { _id: 1 }, batchSize: 10_000 });
  const done = new Set((await written.toArray()).map(({ _id }) => _id));
  return all.filter((one) => refused.includes(one) || !done.has(one.document._id));
}

/** Random, for a mark that nobody else makes. */
export const newBatch = (): string => randomBytes(9).toString('base64url');

async function refusedOf(all: readonly Prepared[], write: () => Promise<unknown>): Promise<readonly Prepared[]> {
  try {
    await write();
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const refused = [error.writeErrors].flat();
    if (refused.length === 0) throw error;
    return refused.map(({ index }) => all[index]!);
  }
}
