import { Mongoose, type mongo } from 'mongoose';

/** Lends the database that the URL names, as the server has it. */
export async function withDatabaseOf<T>(url: string, use: (db: mongo.Db) => Promise<T>): Promise<T> {
  const connection = await new Mongoose().createConnection(url, { serverSelectionTimeoutMS: 10_000 }).asPromise();
  try {
    return await use(connection.db!);
  } finally {
    await connection.close();
  }
}

/** Takes out the database that the URL names, with all that is in it. */
export const dropDatabase = (url: string): Promise<boolean> => withDatabaseOf(url, (db) => db.dropDatabase());
