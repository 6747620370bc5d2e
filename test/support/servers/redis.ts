import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from 'redis';
import { freePort } from '../start-portico.ts';
import { startProcess, type ServerProcess } from './process.ts';

const run = promisify(execFile);

export interface RedisServer extends Omit<ServerProcess, 'pid' | 'stop'> {
  readonly port: number;
  readonly url: string;
  /** Starts a killed server again, on the same port with what it had stored. */
  restart(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

export interface RedisOptions {
  readonly password?: string;
  readonly port?: number;
  /** More settings, as in redis.conf. */
  readonly settings?: readonly string[];
  /** Settings in place of the port, for TLS alone. */
  readonly listen?: (port: number) => readonly string[];
}

const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
const always = ['--bind', '127.0.0.1', '--repl-diskless-sync-delay', '0', ...durable];

/** A redis-server of its own (Debian: redis-server) on a free port of this machine, which keeps what it acknowledged. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-redis-'));
  const port = options.port ?? (await freePort());
  const { password } = options;
  const args = [
    ...(options.listen?.(port) ?? ['--port', String(port)]),
    ...always,
    '--dir',
    folder,
    ...(password === undefined ? [] : ['--requirepass', password, '--masterauth', password]),
    ...(options.settings ?? []),
  ];
  const start = async (): Promise<ServerProcess> => {
    const started = await startProcess('redis-server', args);
    if (options.listen === undefined) await answers(port, password);
    return started;
  };
  let server = await start();
  return {
    port,
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    hold: () => server.hold(),
    letGo: () => server.letGo(),
    kill: () => server.kill(),
    async restart() {
      await server.kill();
      server = await start();
    },
    async stop() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(port: number, password: string | undefined): Promise<void> {
  for (const end = Date.now() + 10_000; ;) {
    try {
      if ((await askRedis({ port, ...(password === undefined ? {} : { password }) }, 'PING')) === 'PONG') return;
    } catch (error) {
      if (Date.now() > end) throw new Error(`redis-server does not answer on ${port}`, { cause: error });
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** One command over a connection of its own. */
export async function askRedis(
  { port, password }: { readonly port: number; readonly password?: string },
  ...command: readonly string[]
): Promise<unknown> {
  const client = createClient({
    socket: { host: '127.0.0.1', port, reconnectStrategy: false, connectTimeout: 1000 },
    ...(password === undefined ? {} : { password }),
  });
  client.on('error', () => {}); // connect tells it, too
  try {
    await client.connect();
    return await client.sendCommand([...command]);
  } finally {
    client.destroy();
  }
}

export interface RedisCluster {
  /** With commas, as REDIS_URL. */
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  stop(): Promise<void>;
}

/** A cluster of masters, each with a third of the slots, and so many replicas of each. */
export async function startRedisCluster({ replicas = 0 } = {}): Promise<RedisCluster> {
  const nodes = await Promise.all(
    Array.from({ length: 3 * (1 + replicas) }, async () => {
      const busPort = await freePort();
      const settings = [
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        String(busPort),
        '--cluster-node-timeout',
        '1500',
      ];
      return startRedis({ settings });
    }),
  );
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())));
  try {
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    const create = ['--cluster', 'create', ...addresses, '--cluster-replicas', String(replicas), '--cluster-yes'];
    await run('redis-cli', create);
    await Promise.all(nodes.map(isWhole));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: nodes.map(({ url }) => url).join(','), nodes, stop };
}

async function isWhole({ port }: RedisServer): Promise<void> {
  for (const end = Date.now() + 15_000; Date.now() < end;) {
    const info =
      String(await askRedis({ port }, 'CLUSTER', 'INFO')) + String(await askRedis({ port }, 'INFO', 'replication'));
    if (info.includes('cluster_state:ok') && !info.includes('master_link_status:down')) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('the Redis Cluster does not come to be whole');
}

export interface RedisSentinel {
  /** As REDIS_URL. */
  readonly url: string;
  readonly master: RedisServer;
  stop(): Promise<void>;
}

/** A master, its replica, and a sentinel that makes the replica the master when the master is away. */
export async function startRedisSentinel(password: string): Promise<RedisSentinel> {
  const master = await startRedis({ password });
  const replica = await startRedis({ password, settings: ['--replicaof', `127.0.0.1 ${master.port}`] });
  const folder = await mkdtemp(join(tmpdir(), 'portico-sentinel-'));
  const port = await freePort();
  const file = join(folder, 'sentinel.conf'); // the sentinel writes into it
  const watching = [
    `sentinel monitor main 127.0.0.1 ${master.port} 1`,
    `sentinel auth-pass main ${password}`,
    'sentinel down-after-milliseconds main 500',
    'sentinel failover-timeout main 3000',
  ];
  await writeFile(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...watching, ''].join('\n'));
  const sentinel = await startProcess('redis-server', [file, '--sentinel']);
  const stop = async () => {
    await Promise.all([sentinel.stop(), master.stop(), replica.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await answers(port, undefined);
    await knowsReplica(port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `redis-sentinel://:${password}@127.0.0.1:${port}/main`, master, stop };
}

async function knowsReplica(port: number): Promise<void> {
  for (const end = Date.now() + 15_000; Date.now() < end;) {
    const [replica] = (await askRedis({ port }, 'SENTINEL', 'REPLICAS', 'main')) as Record<string, string>[];
    if (replica?.['master-link-status'] === 'ok') return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('the sentinel does not find the replica');
}
