import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#log.ts';
import { openSqliteStores } from '#stores/sqlite/index.ts';
import type { Stores } from '#stores/stores.ts';
import type { Elsewhere, Place } from './place.ts';

type Part = 'objects' | 'state' | 'files' | 'bus';

/** A folder of its own. Closing the one store closes them all. */
export const sqlitePlace =
  <Name extends Part>(name: Name) =>
  async (): Promise<Place<Stores[Name]>> => {
    const folder = await mkdtemp(join(tmpdir(), 'portico-contract-'));
    let ahead = 0;
    return {
      async open() {
        const stores = await openSqliteStores(folder, silentLog, () => Date.now() + ahead);
        return { ...stores[name], close: () => stores.close() };
      },
      async pass(milliseconds) {
        ahead += milliseconds;
      },
      elsewhere: { module: import.meta.url, argument: folder },
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  };

export const openElsewhere: Elsewhere = (folder) => openSqliteStores(folder, silentLog);
