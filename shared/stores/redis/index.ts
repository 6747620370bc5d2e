import { AppError, unreachable } from '#errors.ts';
import type { Log } from '#log.ts';
import type { Bus } from '../bus.ts';
import type { StateStore } from '../state-store.ts';
import { describeAddress, readRedisAddress } from './address.ts';
import { connectRedisBus } from './bus.ts';
import { connectCluster } from './cluster.ts';
import { createPresence, type Presence } from './presence.ts';
import type { ClientOptions, Redis } from './redis.ts';
import { isReply } from './failure.ts';
import { locateMaster } from './sentinel.ts';
import { connectServer } from './server.ts';
import { createRedisStateStore } from './state-store.ts';
import { withinTime } from './within-time.ts';

export interface RedisStoresOptions {
  /** As REDIS_URL: one server, several of a cluster, or sentinels. */
  readonly url: string;
  /** Of all keys and channels, so that installations can share a server. */
  readonly prefix: string;
  readonly log: Log;
  /** PEM of the authority that signed the servers' certificates. */
  readonly ca?: string;
  /** Milliseconds until a command without an answer fails. */
  readonly timeout?: number;
  /** Milliseconds to wait for Redis to be there. */
  readonly startTimeout?: number;
}

export interface RedisStores {
  readonly state: StateStore;
  readonly bus: Bus;
  close(): Promise<void>;
}

/**
 * State and news on Redis 6.2 or newer (a cluster: 7 or newer). Resolves when everything answers; rejects with `unavailable`
 * when that takes too long, with `invalid` when the address is none. Afterwards Redis may come and go.
 */
export async function openRedisStores(options: RedisStoresOptions): Promise<RedisStores> {
  const { url, prefix, log, ca = '', timeout = 2000, startTimeout = 10_000 } = options;
  const address = readRedisAddress(url);
  const where = describeAddress(address);
  const client: ClientOptions = { address, ca, timeout };
  const presence = createPresence(log, where);
  try {
    return await withinTime(startTimeout, (giveUp) => open({ client, presence, giveUp, prefix, log }));
  } catch (error) {
    throw cannotStart(where, isReply(error) ? error : (presence.reason() ?? error));
  }
}

const cannotStart = (where: string, error: unknown): AppError => {
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError('unavailable', `Redis at ${where}: ${reason}`, {
    publicText: `Redis cannot be used at ${where}: ${reason}`,
    cause: error,
  });
};

/** A server that is too old, or a user without the rights, is found at the start. */
async function rehearse(state: StateStore): Promise<void> {
  await state.take('rehearsal');
  await state.increment('rehearsal', 1, 1);
}

interface Opening extends Pick<RedisStoresOptions, 'prefix' | 'log'> {
  readonly client: ClientOptions;
  readonly presence: Presence;
  readonly giveUp: AbortSignal;
}

async function open({ prefix, ...opening }: Opening): Promise<RedisStores> {
  const redis = await connect(opening);
  try {
    const state = createRedisStateStore(redis, `${prefix}state:`);
    await rehearse(state);
    const bus = await connectRedisBus({ ...opening, redis, channel: `${prefix}bus` });
    return { state, bus, close: async () => void (await Promise.all([bus.close(), state.close()])) };
  } catch (error) {
    await redis.close();
    throw error;
  }
}

async function connect({ client, presence, giveUp }: Omit<Opening, 'prefix' | 'log'>): Promise<Redis> {
  const { kind, nodes } = client.address;
  switch (kind) {
    case 'server':
      return connectServer({ client, presence, giveUp, locate: async () => nodes[0], changes: false });
    case 'sentinel':
      return connectServer({ client, presence, giveUp, locate: () => locateMaster(client), changes: true });
    case 'cluster':
      return connectCluster({ client, presence, giveUp });
    default:
      return unreachable(kind);
  }
}
