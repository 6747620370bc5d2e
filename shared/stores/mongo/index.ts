import type { Log } from '#log.ts';
import type { FileStore } from '../file-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { cannotStart, connect, hasTransactions } from './connect.ts';
import { createMongoFileStore } from './file-store.ts';
import { createGate } from './gate.ts';
import { createMongoObjectStore } from './object-store.ts';

export interface MongoOptions {
  /** mongodb:// or mongodb+srv://; without a database's name `portico` is used. */
  readonly url: string;
  readonly log: Log;
  /** `require`: a server without transactions is refused. */
  readonly atomic: 'auto' | 'require';
  /** Milliseconds until a call without an answer fails. */
  readonly timeout?: number;
}

export interface MongoStores {
  readonly objects: ObjectStore;
  readonly files: FileStore;
  /** Whether a batch over several objects is one to everybody, also when a process is killed. */
  readonly transactions: boolean;
  /** Lets what is under way end. */
  close(): Promise<void>;
}

/**
 * The stores of objects and files in one MongoDB database. Rejects with `unavailable` within some seconds when the server
 * cannot be reached or used, or holds data of a newer version. Later the stores find back by themselves.
 */
export async function openMongoStores({ url, log, atomic, timeout = 10_000 }: MongoOptions): Promise<MongoStores> {
  await using opening = new AsyncDisposableStack();
  const connection = opening.adopt(await connect(url), (opened) => opened.close());
  const transactions = await hasTransactions(connection);
  if (!transactions && atomic === 'require') {
    throw cannotStart('the server has no transactions (no replica set), and data.atomic is `require`');
  }
  if (!transactions) {
    log.warn('MongoDB has no transactions (no replica set): a process that is killed can leave a part of a batch', { setting: 'data.atomic' }); // prettier-ignore
  }
  const gate = createGate(timeout, log);
  const files = await createMongoFileStore({ connection, gate, log });
  const objects = createMongoObjectStore({ connection, gate, log, transactions });
  opening.defer(() => gate.close());
  const opened = opening.move();
  return { objects, files, transactions, close: () => opened.disposeAsync() };
}
