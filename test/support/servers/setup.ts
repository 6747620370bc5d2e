import { reportNotRun } from './not-run.ts';
import { startServers } from './index.ts';

let servers: Awaited<ReturnType<typeof startServers>> | undefined;

/** Of mocha, for .mocharc.servers.json: the servers of the whole run. */
export async function mochaGlobalSetup(): Promise<void> {
  const started = performance.now();
  servers = await startServers(process.env);
  process.stdout.write(`servers are there after ${Math.round(performance.now() - started)} ms\n`);
}

export async function mochaGlobalTeardown(): Promise<void> {
  process.stdout.write(reportNotRun());
  await servers?.stop();
}
