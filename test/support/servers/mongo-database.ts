import { Mongoose } from 'mongoose';

/** Takes out the database that the URL names, with all that is in it. */
export async function dropDatabase(url: string): Promise<void> {
  const connection = await new Mongoose().createConnection(url, { serverSelectionTimeoutMS: 10_000 }).asPromise();
  try {
    await connection.dropDatabase();
  } finally {
    await connection.close();
  }
}
