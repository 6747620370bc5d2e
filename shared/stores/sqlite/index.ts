import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '#log.ts';
import type { Stores } from '../stores.ts';
import { backUpFolder } from './backup.ts';
import { busSchema, createSqliteBus } from './bus.ts';
import { createFileStore } from './file-store.ts';
import { createSqliteObjectStore, objectsSchema } from './object-store.ts';
import { openDatabase } from './open.ts';
import { createSqliteStateStore, stateSchema } from './state-store.ts';

/**
 * All stores in one folder (made with mode 0700), for any number of processes of one machine.
 * Rejects with `unavailable` when the folder was written by a newer version or holds something else.
 */
export async function openSqliteStores(folder: string, log: Log, clock: () => number = Date.now): Promise<Stores> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await using opening = new AsyncDisposableStack();
  const open = async <T extends { close(): Promise<void> }>(made: Promise<T>): Promise<T> =>
    opening.adopt(await made, (store) => store.close());
  // A file each: state is written all the time, and whoever writes keeps others from the same file.
  const objects = await open(
    openDatabase(join(folder, 'objects.db'), { synchronous: 'full', schema: objectsSchema }).then(
      createSqliteObjectStore,
    ),
  );
  const state = await open(
    openDatabase(join(folder, 'state.db'), { synchronous: 'full', schema: stateSchema }).then((db) =>
      createSqliteStateStore(db, clock, (error) => log.error('ended state cannot be taken out', { error })),
    ),
  );
  const bus = await open(
    openDatabase(join(folder, 'bus.db'), { synchronous: 'normal', schema: busSchema }).then((db) =>
      createSqliteBus(db, log, clock),
    ),
  );
  const files = await open(createFileStore(join(folder, 'files')));
  const opened = opening.move();
  return {
    kind: 'SQLite',
    objects,
    state,
    files,
    bus,
    backUp: (to) => backUpFolder(folder, to),
    close: () => opened.disposeAsync(),
  };
}
