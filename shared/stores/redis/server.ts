import type { Node } from './address.ts';
import { isReadOnly, toFailure, unavailable } from './failure.ts';
import { createLink } from './link.ts';
import type { Presence } from './presence.ts';
import { createNodeClient, type Client, type ClientOptions, type Redis } from './redis.ts';
import { withinTime } from './within-time.ts';

interface ServerOptions {
  readonly client: ClientOptions;
  readonly presence: Presence;
  readonly giveUp: AbortSignal;
  readonly locate: () => Promise<Node>;
  /** Whether the address may, during a failover, still be that of a replica, which takes no writes. */
  readonly changes: boolean;
}

/** One server, or the one that `locate` finds to be the master. Resolves when it is connected. */
export async function connectServer({
  client: options,
  presence,
  giveUp,
  locate,
  changes,
}: ServerOptions): Promise<Redis> {
  const { timeout } = options;
  const link = createLink({
    name: 'commands',
    locate,
    create: (node) => createNodeClient(options, node),
    ...(changes ? { prepare: checkMaster } : {}),
    presence,
    giveUp,
    timeout,
    every: timeout / 2,
  });
  const run = async (command: readonly string[]): Promise<unknown> => {
    const client = link.client();
    if (client === undefined) throw unavailable('no connection');
    try {
      return await withinTime(timeout, (abortSignal) => client.sendCommand([...command], { abortSignal }));
    } catch (error) {
      if (isReadOnly(error)) link.drop(error); // it was the master once
      throw toFailure(error);
    }
  };
  try {
    await link.opened;
  } catch (error) {
    await link.close();
    throw error;
  }
  return {
    run: (_key, command) => run(command),
    ping: async () => void (await run(['PING'])),
    channels: { locate, sharded: false },
    close: () => link.close(),
  };
}

async function checkMaster(client: Client): Promise<void> {
  const [role] = (await client.sendCommand(['ROLE'])) as [string];
  if (role !== 'master') throw new Error(`this node is a ${role}, not the master`);
}
