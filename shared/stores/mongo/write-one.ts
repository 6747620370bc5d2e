import type { mongo } from 'mongoose';
import { AppError, unreachable } from '#errors.ts';
import type { Write, Written } from '../object-store.ts';
import type { Collections } from './collections.ts';
import { toBody, type StoredDocument } from './document.ts';
import { isDuplicate } from './failure.ts';
import { brokenRule } from './unique.ts';

export interface Within {
  readonly session?: mongo.ClientSession;
  /** Marks what is written, for whoever may have to undo it. */
  readonly batch?: string;
}

const tries = 50;

/**
 * Writes one object, with the very answer of the contract, also when others write it at the same moment. In a transaction
 * the duplicate error comes out: the server has ended the transaction then.
 */
export async function writeOne(collections: Collections, write: Write, within: Within = {}): Promise<Written> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const answer = await attemptOne(collections, write, within);
    if (answer) return answer;
  }
  throw new AppError('conflict', `an object of ${write.collection} is written by too many at once`);
}

/** Undefined when somebody was faster: look again. */
async function attemptOne(collections: Collections, write: Write, within: Within): Promise<Written | undefined> {
  const { id } = write;
  const objects = collections.objects(write.collection);
  const options = within.session ? { session: within.session } : {};
  const read = () => objects.findOne({ _id: id }, { ...options, projection: { r: 1 } });
  const missed = async (expect: number): Promise<Written | undefined> => {
    const found = await read();
    if (!found) return { id, clash: 'missing' };
    return found.r === expect ? undefined : { id, clash: 'stale' };
  };

  const store = async (apply: (document: StoredDocument) => Promise<boolean>, revision: number) => {
    if (write.op === 'delete') return undefined;
    const document: StoredDocument = { _id: id, r: revision, ...toBody(write.doc) };
    try {
      return (await apply(document)) ? { id, revision } : undefined;
    } catch (error) {
      if (within.session || !isDuplicate(error)) throw error;
      if (write.op === 'insert' && (await read())) return { id, clash: 'exists' } as const;
      return brokenRule(collections, write.collection, document);
    }
  };
  const insert = (revision: number) =>
    store(async (document) => {
      const marked = within.batch === undefined ? document : { ...document, w: [within.batch] };
      return (await objects.insertOne(marked, options)).acknowledged;
    }, revision);
  const update = (from: number) =>
    store(async ({ _id, ...document }) => {
      const changed = await objects.updateOne({ _id, r: from }, toUpdate(document, within.batch), options);
      return changed.matchedCount === 1;
    }, from + 1);

  switch (write.op) {
    case 'insert':
      return insert(write.revision ?? 1);
    case 'delete': {
      if (write.expect !== undefined) {
        const { deletedCount } = await objects.deleteOne({ _id: id, r: write.expect }, options);
        return deletedCount === 1 ? { id, revision: write.expect } : missed(write.expect);
      }
      const gone = await objects.findOneAndDelete({ _id: id }, { ...options, projection: { r: 1 } });
      return gone ? { id, revision: gone.r } : { id, clash: 'missing' };
    }
    case 'update':
    case 'upsert': {
      if (write.expect !== undefined) return (await update(write.expect)) ?? missed(write.expect);
      const found = await read();
      if (found) return update(found.r);
      return write.op === 'update' ? { id, clash: 'missing' } : insert(1);
    }
    default:
      return unreachable(write);
  }
}

/** Marks of earlier batches stay for a while: whoever wonders about its own can still find it. */
export function toUpdate(
  document: Omit<StoredDocument, '_id'>,
  batch: string | undefined,
): mongo.UpdateFilter<StoredDocument> {
  if (batch === undefined) return { $set: document };
  return { $set: document, $push: { w: { $each: [batch], $slice: -4 } } };
}
