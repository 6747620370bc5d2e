import { mongo } from 'mongoose';
import type { Planned } from './check.ts';
import type { Collections } from './collections.ts';
import type { StoredDocument } from './document.ts';
import { isDuplicate } from './failure.ts';
import { inParallel } from './in-parallel.ts';
import { toUpdate, type Within } from './write-one.ts';

/** The planned changes of one collection, by what is to be done. */
interface Work {
  readonly objects: mongo.Collection<StoredDocument>;
  readonly deletes: readonly Planned[];
  readonly updates: readonly Planned[];
  readonly inserts: readonly Planned[];
}

/** Takes out first, so that values are free; makes new objects last. */
function workOf(collections: Collections, planned: readonly Planned[]): readonly Work[] {
  return Array.from(Map.groupBy(planned, ({ collection }) => collection), ([collection, changes]) => ({
    objects: collections.objects(collection),
    deletes: changes.filter(({ after }) => !after),
    updates: changes.filter(({ before, after }) => before && after),
    inserts: changes.filter(({ before }) => !before),
  })); // prettier-ignore
}

/**
 * Writes what was planned, if every object still is what it was; false when one is not, or when a unique index refuses. In a
 * transaction an error of the server comes out. `deleted` takes those that this call has taken out.
 */
export async function applyPlan(
  collections: Collections,
  planned: readonly Planned[],
  within: Within,
  deleted: Set<Planned>,
): Promise<boolean> {
  const options = within.session ? { session: within.session } : {};
  const works = workOf(collections, planned);
  for (const { objects, deletes } of works) {
    const remove = async (one: Planned) => {
      const { deletedCount } = await objects.deleteOne({ _id: one.id, r: one.before!.r }, options);
      if (deletedCount === 1) deleted.add(one);
      return deletedCount === 1;
    };
    if (within.session) {
      for (const one of deletes) if (!(await remove(one))) return false; // a transaction does one thing at a time
    } else if ((await inParallel(deletes, remove)).includes(false)) return false;
  }
  try {
    for (const { objects, updates, inserts } of works) {
      if (updates.length > 0) {
        const operations = updates.map(({ id, before, after }) => {
          const { _id, ...document } = after!;
          return { updateOne: { filter: { _id: id, r: before!.r }, update: toUpdate(document, within.batch) } };
        });
        const { matchedCount } = await objects.bulkWrite(operations, { ...options, ordered: false });
        if (matchedCount < updates.length) return false;
      }
      if (inserts.length > 0) {
        const mark = within.batch === undefined ? {} : { w: [within.batch] };
        await objects.insertMany(inserts.map(({ after }) => ({ ...after!, ...mark })), { ...options, ordered: false }); // prettier-ignore
      }
    }
    return true;
  } catch (error) {
    if (within.session || !isDuplicate(error)) throw error;
    return false;
  }
}

/** Takes back what carries the mark of this batch, but for what others have written over since. */
export async function undo(
  collections: Collections,
  planned: readonly Planned[],
  batch: string,
  deleted: ReadonlySet<Planned>,
): Promise<void> {
  for (const { objects, updates, inserts } of workOf(collections, planned)) {
    const ours = ({ id, revisions }: Planned) => ({ _id: id, w: batch, r: { $in: revisions } });
    const operations: mongo.AnyBulkWriteOperation<StoredDocument>[] = [
      ...inserts.map((one) => ({ deleteOne: { filter: ours(one) } })),
      ...updates.map((one) => {
        const { d, n, e } = one.before!;
        // not the revision of before: whoever has seen the one in between must not take another object for it
        return { updateOne: { filter: ours(one), update: { $set: { d, n, e }, $inc: { r: 1 } } } };
      }),
    ];
    if (operations.length > 0) await objects.bulkWrite(operations, { ordered: true });
  }
  for (const { objects, deletes } of workOf(collections, planned)) {
    const gone = deletes.filter((one) => deleted.has(one)).map(({ before }) => before!);
    if (gone.length > 0) await objects.insertMany(gone, { ordered: false });
  }
}
