import type { Config } from '#config/config.ts';
import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';
import type { Stores } from '#stores/stores.ts';

/** Configuration → adapters. The only file that knows them; a driver is loaded when its store is chosen. */
export async function openStores({ installation }: Config, log: Log): Promise<Stores> {
  switch (installation.stores) {
    case 'sqlite': {
      const { openSqliteStores } = await import('#stores/sqlite/index.ts');
      return openSqliteStores(installation.dataFolder, log);
    }
    case 'servers':
      throw new AppError(
        'unavailable',
        'MongoDB and Redis are not supported yet; unset MONGO_URL, REDIS_URL and PORTICO_STORES',
      );
    default:
      throw new AppError('internal', 'unknown stores');
  }
}
