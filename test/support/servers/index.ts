import { startMongo } from './mongo.ts';
import { startRedis, startRedisCluster } from './redis.ts';

/** Where the servers of a run are; an address that is set already wins, and nothing is started for it. */
export type ServerVariable = 'MONGO_URL' | 'REDIS_URL' | 'REDIS_CLUSTER_URL';

interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

const starters: Readonly<Partial<Record<ServerVariable, () => Promise<Running>>>> = {
  MONGO_URL: () => startMongo(),
  REDIS_URL: () => startRedis(),
  REDIS_CLUSTER_URL: () => startRedisCluster(),
};

/** Starts what is not there and says where it is in the environment. Rejects when a server cannot be had. */
export async function startServers(env: NodeJS.ProcessEnv): Promise<{ stop(): Promise<void> }> {
  const running: Running[] = [];
  const stop = async () => void (await Promise.all(running.map((one) => one.stop())));
  try {
    for (const [variable, start] of Object.entries(starters)) {
      if (env[variable]) continue;
      const server = await start();
      running.push(server);
      env[variable] = server.url;
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** Of a running server; `npm run test:servers` starts them. */
export function serverUrl(variable: ServerVariable): string {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set: run this with npm run test:servers`);
  return url;
}
