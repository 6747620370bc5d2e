import { createClient } from 'redis';
import type { Node, RedisAddress } from './address.ts';

/** Redis as the stores see it, whether one server, a master that sentinels watch, or a cluster. */
export interface Redis {
  /**
   * Sends a command to the node that has the key, at once or not at all. Errors: `unavailable` without a connection or
   * without an answer in time (it may still be carried out then); an ErrorReply when the command is wrong.
   */
  run(key: string, command: readonly string[]): Promise<unknown>;
  /** Rejects when a part of the keys cannot be read now. */
  ping(): Promise<void>;
  /** Where a connection listens for a channel, and by which commands. */
  readonly channels: { locate(channel: string): Promise<Node>; readonly sharded: boolean };
  /** What was asked gets its answer first, for a moment. */
  close(): Promise<void>;
}

export type Client = ReturnType<typeof createClient>;

export interface ClientOptions {
  readonly address: RedisAddress;
  /** PEM; only for TLS. Empty: the system's. */
  readonly ca: string;
  /** Milliseconds. */
  readonly timeout: number;
}

const longestQueue = 10_000; // commands without an answer; more are refused at once

/** What all connections share. Times are kept by within-time.ts, since the driver's own end when a command is sent. */
export const clientOptions = ({ address, ca, timeout }: ClientOptions) => ({
  ...(address.password === '' ? {} : { username: address.username || 'default', password: address.password }),
  database: address.database,
  disableOfflineQueue: true,
  commandsQueueMaxLength: longestQueue,
  commandOptions: { timeout: 0 },
  maintNotifications: 'disabled' as const,
  name: 'portico',
  socket: socketOptions({ address, ca, timeout }),
});

export const socketOptions = ({ address, ca, timeout }: ClientOptions) => ({
  connectTimeout: timeout,
  ...(address.tls ? { tls: true as const, ...(ca === '' ? {} : { ca }) } : {}),
});

/** A connection to one node that ends when it breaks. */
export const createNodeClient = (options: ClientOptions, { host, port }: Node): Client => {
  const shared = clientOptions(options);
  return createClient({ ...shared, socket: { ...shared.socket, host, port, reconnectStrategy: false } });
};
