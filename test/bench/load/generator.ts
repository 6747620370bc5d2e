import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onCore, type Cores } from '../measure/cores.ts';
import { isOnPath } from '../measure/on-path.ts';
import type { LoadResult, Order } from './plan.ts';
import { readWrk, wrkScript } from './wrk.ts';

/** Sends load from a process of its own. */
export interface Generator {
  readonly name: 'wrk' | 'autocannon';
  run(order: Order): Promise<LoadResult>;
}

const beyond = 20_000; // ms that a generator may take longer than asked before it is ended

/** `wrk` when it is installed: it takes less of a processor for the same load. */
export const findGenerator = (cores: Cores): Generator =>
  isOnPath('wrk')
    ? { name: 'wrk', run: (order) => runWrk(order, cores) }
    : { name: 'autocannon', run: (order) => runAutocannon(order, cores) };

async function runAutocannon(order: Order, cores: Cores): Promise<LoadResult> {
  const script = join(import.meta.dirname, 'autocannon.ts');
  const output = await runBounded([process.execPath, script], JSON.stringify(order), order.seconds, cores);
  return JSON.parse(output) as LoadResult;
}

async function runWrk(order: Order, cores: Cores): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-wrk-'));
  try {
    const script = join(folder, 'plan.lua');
    await writeFile(script, wrkScript(order), { mode: 0o600 });
    const words = ['-t1', `-c${order.connections}`, `-d${order.seconds}s`, '--timeout', '10s', '-s', script];
    return readWrk(await runBounded(['wrk', ...words, order.plan.url], '', order.seconds, cores));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runBounded(words: readonly string[], input: string, seconds: number, { load }: Cores): Promise<string> {
  const [command, ...rest] = onCore(load, words);
  const child = spawn(command!, rest, {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: seconds * 1000 + beyond,
    killSignal: 'SIGKILL',
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`the load generator ended with ${code}:\n${err}`);
  return out;
}
