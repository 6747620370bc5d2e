import { randomBytes } from 'node:crypto';
import { silentLog } from '#log.ts';
import { openRedisStores, type RedisStores } from '#stores/redis/index.ts';
import type { Elsewhere, Place } from './place.ts';

/** Keys of its own on a server or cluster. Time passes by itself there, so it is waited for. Closing the one store closes both. */
export const redisPlace =
  <Name extends 'state' | 'bus'>(url: () => string, name: Name) =>
  async (): Promise<Place<RedisStores[Name]>> => {
    const prefix = `portico-contract-${randomBytes(6).toString('hex')}:`;
    return {
      async open() {
        const stores = await openRedisStores({ url: url(), prefix, log: silentLog });
        return { ...stores[name], close: () => stores.close() };
      },
      pass: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
      elsewhere: { module: import.meta.url, argument: JSON.stringify({ url: url(), prefix }) },
      remove: async () => {}, // what is there ends by its time to live, at most a minute
    };
  };

export const openElsewhere: Elsewhere = async (argument) => {
  const { url, prefix } = JSON.parse(argument) as { url: string; prefix: string };
  return openRedisStores({ url, prefix, log: silentLog });
};
