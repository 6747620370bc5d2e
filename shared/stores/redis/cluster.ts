import { setTimeout as delay } from 'node:timers/promises';
import { createCluster } from 'redis';
import type { Node } from './address.ts';
import { isFinal, toFailure } from './failure.ts';
import type { Presence } from './presence.ts';
import { clientOptions, socketOptions, type ClientOptions, type Redis } from './redis.ts';
import { createWatch } from './watch.ts';
import { withinTime } from './within-time.ts';

const name = 'commands';
const longestWait = 1000; // milliseconds between two tries to connect
const startPause = 250;
const refreshAfter = 1000; // milliseconds without a node until the others are asked who has its slots

interface ClusterOptions {
  readonly client: ClientOptions;
  readonly presence: Presence;
  readonly giveUp: AbortSignal;
}

/** A cluster by some of its nodes; the others are found. Resolves when every part of it answers. */
export async function connectCluster(options: ClusterOptions): Promise<Redis> {
  for (;;) {
    try {
      return await tryCluster(options);
    } catch (error) {
      if (options.giveUp.aborted || isFinal(error)) throw toFailure(error);
      await delay(startPause);
    }
  }
}

async function tryCluster({ client: options, presence }: ClusterOptions): Promise<Redis> {
  const { timeout, address } = options;
  const { commandOptions, ...shared } = clientOptions(options);
  const socket = {
    ...socketOptions(options),
    socketTimeout: timeout * 3, // for a node that takes connections and says nothing; the watch asks more often
    reconnectStrategy: (tries: number) => Math.min(longestWait, 50 * 2 ** tries) * (0.5 + Math.random() / 2),
  };
  const cluster = createCluster({
    rootNodes: address.nodes.map((node) => ({ socket: node })),
    defaults: { ...shared, socket },
    minimizeConnections: true, // else one node that is away holds up a change of the map
    topologyRefreshOnReconnectionAttemptStrategy: refreshAfter,
  });
  for (const event of ['error', 'node-error']) cluster.on(event, (error: unknown) => presence.away(name, error));
  const within = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await withinTime(timeout, work);
    } catch (error) {
      throw toFailure(error);
    }
  };
  const run = (key: string, command: readonly string[]): Promise<unknown> =>
    within((abortSignal) => cluster.sendCommand(key, false, [...command], { ...commandOptions, abortSignal }));
  const ping = async (): Promise<void> => {
    await run('ping', ['EXISTS', 'ping']); // refused while slots are without a node
    await Promise.all(
      cluster.masters.map((node) => within(async () => (await cluster.nodeClient(node)).sendCommand(['PING']))),
    );
  };

  const watch = createWatch({ name, nodes: () => cluster.masters, presence, timeout, every: timeout / 2 });
  const close = async (): Promise<void> => {
    watch.stop();
    await withinTime(timeout, () => cluster.close()).catch(() => cluster.destroy());
  };
  const locate = async (channel: string): Promise<Node> => {
    await run(channel, ['EXISTS', channel]); // follows the slot when it has moved
    const slot = (await run(channel, ['CLUSTER', 'KEYSLOT', channel])) as number;
    const { host, port } = cluster.slots[slot]!.master;
    return { host, port };
  };
  try {
    await within(() => cluster.connect());
    await ping();
  } catch (error) {
    watch.stop();
    if (cluster.isOpen) cluster.destroy();
    throw error;
  }
  return { run, ping, channels: { locate, sharded: true }, close };
}
