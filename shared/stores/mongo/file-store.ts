import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { mongo, type Connection } from 'mongoose';
import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';
import type { FileStore } from '../file-store.ts';
import { patiently } from './change-indexes.ts';
import { isDuplicate, isThere } from './failure.ts';
import type { Gate } from './gate.ts';

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
const forgotten = 24 * 3_600_000; // milliseconds: nobody takes so long over one file

export interface MongoFileStoreDeps {
  readonly connection: Connection;
  readonly gate: Gate;
  readonly log: Log;
}

/**
 * GridFS, named `files`; a file's name there is its hash, which no two have. What is being received has no name of that kind
 * and stands in `files.unfinished`, so that what a killed process leaves is found and taken out.
 */
export async function createMongoFileStore({ connection, gate, log }: MongoFileStoreDeps): Promise<FileStore> {
  const db = connection.db!;
  const bucket = new mongo.GridFSBucket(db, { bucketName: 'files', writeConcern: { w: 'majority', journal: true } });
  const files = db.collection<mongo.GridFSFile>('files.files');
  const unfinished = db.collection('files.unfinished');
  await makeCollections(db);
  await removeLeftovers();

  async function removeLeftovers(): Promise<void> {
    const before = mongo.ObjectId.createFromTime((Date.now() - forgotten) / 1000);
    for (const { _id } of await unfinished.find({ _id: { $lt: before } }).toArray()) await discard(_id);
  }

  /** What has got its hash for a name stays. */
  async function discard(id: mongo.ObjectId): Promise<void> {
    const kept = await files.findOne({ _id: id });
    if (!kept || !isHash(kept.filename)) {
      await db.collection('files.chunks').deleteMany({ files_id: id });
      await files.deleteOne({ _id: id });
    }
    await unfinished.deleteOne({ _id: id });
  }

  async function receive(content: Readable, maxBytes: number, upload: mongo.GridFSBucketWriteStream) {
    const hash = createHash('sha256');
    let size = 0;
    for await (const piece of content) {
      const bytes: Buffer = Buffer.isBuffer(piece) ? piece : Buffer.from(piece as string | Uint8Array);
      size += bytes.length;
      if (size > maxBytes) throw new AppError('too_large', `a file is larger than ${maxBytes} bytes`);
      hash.update(bytes);
      await called((done) => upload.write(bytes, done)); // none is under way when this ends early
    }
    await called((done) => upload.end(done));
    return { hash: hash.digest('hex'), size };
  }

  const find = (hash: string) => files.findOne({ filename: hash }, { projection: { _id: 1 } });

  return {
    put: (content, maxBytes) =>
      gate.pass(async () => {
        const id = new mongo.ObjectId();
        try {
          await unfinished.insertOne({ _id: id });
          const upload = bucket.openUploadStreamWithId(id, `unfinished ${id.toHexString()}`);
          upload.on('error', () => {}); // comes out where it is waited for
          const stored = await receive(content, maxBytes, upload);
          await bucket.rename(id, stored.hash).catch((error: unknown) => {
            if (!isDuplicate(error)) throw error; // the same content is there already
          });
          return stored;
        } finally {
          content.destroy();
          await discard(id).catch((error: unknown) => log.warn('what is left of a file is taken out later', { error }));
        }
      }),
    open: (hash) =>
      gate.pass(async () => {
        const found = isHash(hash) ? await find(hash) : null;
        return found ? bucket.openDownloadStream(found._id) : undefined;
      }, 'timed'),
    remove: (hash) =>
      gate.pass(async () => {
        const found = isHash(hash) ? await find(hash) : null;
        if (found) await bucket.delete(found._id);
      }, 'timed'),
    close: () => gate.close(),
  };
}

const called = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });

async function makeCollections(db: mongo.Db): Promise<void> {
  for (const name of ['files.files', 'files.chunks', 'files.unfinished']) {
    await patiently(async () => {
      await db.createCollection(name).catch((error: unknown) => {
        if (!isThere(error)) throw error;
      });
    });
  }
  await patiently(() => db.collection('files.files').createIndex({ filename: 1 }, { unique: true }));
  await patiently(() => db.collection('files.files').createIndex({ filename: 1, uploadDate: 1 })); // as GridFS has it
  await patiently(() => db.collection('files.chunks').createIndex({ files_id: 1, n: 1 }, { unique: true }));
}
