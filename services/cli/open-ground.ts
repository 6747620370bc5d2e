import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountCollection } from '#accounts/account-store.ts';
import type { Config } from '#config/config.ts';
import { collectionsOf } from '#data/collections.ts';
import { createLog } from '#log.ts';
import type { Classes } from '#meta/class.ts';
import { loadClasses } from '#meta/load.ts';
import type { Stores } from '#stores/stores.ts';
import { checkStoreVersion } from '#transfer/store-version.ts';
import { openStores } from '../open-stores.ts';
import type { CommandContext } from './command.ts';

export interface Ground extends AsyncDisposable {
  readonly config: Config;
  readonly classes: Classes;
  readonly stores: Stores;
}

/** The stores and the classes alone: nothing of the application's access files and seeds is brought in. */
export async function openGround({ load }: Pick<CommandContext, 'load'>): Promise<Ground> {
  const { config, stores } = await openBareStores({ load });
  try {
    await checkStoreVersion(stores.objects);
    const log = createLog({ level: 'warn', form: process.stderr.isTTY ? 'text' : 'json' });
    const classes = await loadClasses(config.application, config.namespace, log);
    return { config, classes, stores, [Symbol.asyncDispose]: () => stores.close() };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** The stores alone, of whatever version. */
export async function openBareStores({
  load,
}: Pick<CommandContext, 'load'>): Promise<{ readonly config: Config; readonly stores: Stores }> {
  const config = await load();
  const log = createLog({ level: config.settings('log.level'), form: process.stderr.isTTY ? 'text' : 'json' });
  return { config, stores: await openStores(config, log) };
}

/** Collections and indexes, as a start makes them. */
export const prepareGround = async ({ stores, classes }: Pick<Ground, 'stores' | 'classes'>): Promise<void> =>
  stores.objects.prepare([
    ...collectionsOf(classes),
    { name: accountCollection, indexes: [{ name: 'login', paths: ['login'] }] },
  ]);

/** Of the program, as in package.json. */
export function programVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
