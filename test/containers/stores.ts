import { randomBytes } from 'node:crypto';
import { serverUrl } from '../support/servers/index.ts';
import type { InstallationOptions } from './installation.ts';

interface KindOfStores {
  readonly name: string;
  /** For one installation: places of its own. */
  readonly servers: () => InstallationOptions['servers'];
}

let lastDatabase = 0;

/** A database of its own on MongoDB and on Redis, where a new server has sixteen. */
function serversOfThisRun(): NonNullable<InstallationOptions['servers']> {
  const mongo = new URL(serverUrl('MONGO_URL'));
  if (mongo.username !== '' && !mongo.searchParams.has('authSource')) {
    mongo.searchParams.set('authSource', mongo.pathname.slice(1) || 'admin');
  }
  mongo.pathname = `/portico_test_${randomBytes(6).toString('hex')}`;
  const redis = new URL(serverUrl('REDIS_URL'));
  lastDatabase = (lastDatabase % 15) + 1;
  redis.pathname = `/${lastDatabase}`;
  return { mongoUrl: mongo.href, redisUrl: redis.href };
}

export const kindsOfStores: readonly KindOfStores[] = [
  { name: 'SQLite', servers: () => undefined },
  { name: 'MongoDB and Redis', servers: serversOfThisRun },
];
