import type { Config } from '#config/config.ts';
import { unreachable } from '#errors.ts';
import type { Log } from '#log.ts';
import type { Stores } from '#stores/stores.ts';

/** Configuration → adapters. The only file that knows them; a driver is loaded when its store is chosen. */
export async function openStores(config: Config, log: Log): Promise<Stores> {
  const { stores, dataFolder } = config.installation;
  switch (stores) {
    case 'sqlite': {
      const { openSqliteStores } = await import('#stores/sqlite/index.ts');
      return openSqliteStores(dataFolder, log);
    }
    case 'servers':
      return openServers(config, log);
    default:
      return unreachable(stores);
  }
}

async function openServers({ installation, settings, namespace }: Config, log: Log): Promise<Stores> {
  const { mongoUrl = '', redisUrl = '', redisCa: ca = '' } = installation; // a configuration without them does not load
  const [{ openMongoStores }, { openRedisStores }] = await Promise.all([
    import('#stores/mongo/index.ts'),
    import('#stores/redis/index.ts'),
  ]);
  await using opening = new AsyncDisposableStack();
  const { objects, files } = opening.adopt(
    await openMongoStores({
      url: mongoUrl,
      log,
      atomic: settings('data.atomic'),
      timeout: settings('mongo.timeout'),
    }),
    (stores) => stores.close(),
  );
  const { state, bus } = opening.adopt(
    await openRedisStores({
      url: redisUrl,
      ca,
      prefix: `portico:${namespace}:`,
      log,
      timeout: settings('redis.timeout'),
    }),
    (stores) => stores.close(),
  );
  const opened = opening.move();
  return { kind: 'MongoDB and Redis', objects, files, state, bus, close: () => opened.disposeAsync() };
}
