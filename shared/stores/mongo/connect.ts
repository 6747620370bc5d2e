import { Mongoose, type Connection } from 'mongoose';
import { AppError } from '#errors.ts';
import { isDuplicate } from './failure.ts';

const version = 1;

/** Milliseconds. No call waits longer for a server to be there; some servers elect a new primary meanwhile. */
const serverSelectionTimeoutMS = 4_000;
/** Of a server that says nothing: indexes over much data are made in that time. */
const socketTimeoutMS = 120_000;

/**
 * Connects, or rejects with `unavailable` within some seconds. Later the driver finds back by itself. What is acknowledged is
 * in the journal of a majority. The URL's database, else `portico`; what the URL says of pools, TLS and the like holds.
 */
export async function connect(url: string): Promise<Connection> {
  const connection = new Mongoose().createConnection();
  try {
    await connection.openUri(url, {
      ...(hasDatabase(url) ? {} : { dbName: 'portico' }),
      appName: 'portico',
      autoCreate: false,
      autoIndex: false,
      bufferCommands: false, // what is asked while the server is away fails, and does not queue
      serverSelectionTimeoutMS,
      connectTimeoutMS: serverSelectionTimeoutMS,
      waitQueueTimeoutMS: serverSelectionTimeoutMS,
      socketTimeoutMS,
      readPreference: 'primary',
      w: 'majority',
      journal: true,
      ignoreUndefined: true,
    });
    await checkVersion(connection);
    return connection;
  } catch (error) {
    await connection.close(true);
    throw cannotStart(error instanceof Error ? error.message : String(error), error);
  }
}

/** For the person at the terminal, too: the driver's messages name servers, no credentials. */
export const cannotStart = (why: string, cause?: unknown): AppError =>
  new AppError('unavailable', `MongoDB: ${why}`, { publicText: `MongoDB cannot be used: ${why}`, cause });

const hasDatabase = (url: string): boolean => /^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]/.test(url);

interface Meta {
  readonly _id: string;
  readonly value: number;
}

async function checkVersion(connection: Connection): Promise<void> {
  const meta = connection.db!.collection<Meta>('meta');
  const read = () => meta.findOne({ _id: 'version' });
  if (!(await read())) {
    await meta.insertOne({ _id: 'version', value: version }).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error; // another process was faster
    });
  }
  const found = await read();
  if (found && found.value > version) {
    throw new Error(`the database was written by a newer Portico (schema ${found.value}, here ${version})`);
  }
}

/** Whether several objects can be written as one, by the server's own word: a member of a replica set, or a router to some. */
export async function hasTransactions(connection: Connection): Promise<boolean> {
  const hello = await connection.db!.admin().command({ hello: 1 });
  return 'setName' in hello || hello['msg'] === 'isdbgrid';
}
