import type { Node, RedisAddress } from './address.ts';
import { createNodeClient, type ClientOptions } from './redis.ts';
import { withinTime } from './within-time.ts';

/** Asks the sentinels, one after the other, where the master is. */
export async function locateMaster(options: ClientOptions): Promise<Node> {
  const failures: string[] = [];
  for (const sentinel of options.address.nodes) {
    try {
      return await ask(options, sentinel);
    } catch (error) {
      failures.push(`${sentinel.host}:${sentinel.port}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`no sentinel knows the master: ${failures.join('; ')}`);
}

async function ask(options: ClientOptions, sentinel: Node): Promise<Node> {
  const address: RedisAddress = { ...options.address, database: 0 };
  const client = createNodeClient({ ...options, address }, sentinel);
  client.on('error', () => {}); // connect and the command tell it, too
  try {
    const found: unknown = await withinTime(options.timeout, async () => {
      await client.connect();
      return client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.master]);
    });
    if (!Array.isArray(found)) throw new Error(`knows no master ${address.master}`);
    const [host, port] = found as [string, string];
    return { host, port: Number(port) };
  } finally {
    client.destroy();
  }
}
