import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLog } from '#log.ts';
import { openMongoStores, type MongoStores } from '#stores/mongo/index.ts';
import { dropDatabase } from '../support/servers/mongo-database.ts';
import type { Elsewhere, Place } from './place.ts';

type Part = 'objects' | 'files';

const open = (url: string): Promise<MongoStores> => openMongoStores({ url, log: silentLog, atomic: 'auto' });

/** A database of its own. Closing the one store closes them both. */
export const mongoPlace =
  <Name extends Part>(name: Name, server: () => string) =>
  async (): Promise<Place<MongoStores[Name]>> => {
    const url = withDatabase(server(), `portico-${randomUUID()}`);
    let without: string | undefined;
    return {
      async open() {
        const stores = await open(url);
        if (!stores.transactions) without = 'the server has no transactions (no replica set)';
        return { ...stores[name], close: () => stores.close() };
      },
      get withoutTransactions() {
        return without;
      },
      pass: (milliseconds) => sleep(milliseconds),
      elsewhere: { module: import.meta.url, argument: url },
      remove: async () => void (await dropDatabase(url)),
    };
  };

/** The same server, another database. */
export const withDatabase = (url: string, database: string): string =>
  url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`);

export const openElsewhere: Elsewhere = async (url) => {
  const stores = await open(url);
  return { objects: stores.objects, files: stores.files, close: () => stores.close() };
};
