import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median, spread } from '../measure/statistics.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const bar = 2_000;

export interface StartRow {
  readonly name: string;
  readonly about: string;
  /** From `npm start` to the first answer; median of the rounds. */
  readonly milliseconds: number;
  readonly spread: number;
  readonly bar: number;
  readonly met: boolean;
  readonly all: readonly number[];
}

const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(PORTICO_|MONGO_URL|REDIS_URL|PUBLIC_URL|NODE_ENV|npm_)/.test(name),
    ),
  );

/** Runs `npm start` until it answers, then ends it. Gives milliseconds. */
async function startOnce(data: string): Promise<number> {
  const begin = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...inherited(), PORT: '0', PORTICO_DATA: data },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of its own: npm and what it runs are ended together
  });
  const exit = once(child, 'exit');
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const lines = createInterface({ input: child.stdout });
  try {
    const address = await new Promise<string>((resolve, reject) => {
      lines.on('line', (line) => {
        const found = /https?:\/\/[\w.[\]:-]+:[1-9]\d*/.exec(line); // not the address with port 0
        if (found) resolve(found[0]);
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`npm start ended with ${code} before it served:\n${complaints}`)));
    });
    const answer = await fetch(`${address}/rest/echo`);
    if (answer.status !== 200) throw new Error(`/rest/echo answers ${answer.status}: ${await answer.text()}`);
    await answer.text();
    return performance.now() - begin;
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await exit;
  }
}

const toRow = (name: string, about: string, all: readonly number[]): StartRow => {
  const milliseconds = median(all);
  return { name, about, milliseconds, spread: spread(all), bar, met: milliseconds <= bar, all };
};

/** Each round: a folder that does not exist yet, then the same again. */
export async function measureStart(rounds: number): Promise<readonly StartRow[]> {
  const fresh: number[] = [];
  const existing: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'portico-bench-'));
    try {
      fresh.push(await startOnce(join(folder, 'data')));
      existing.push(await startOnce(join(folder, 'data')));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return [
    toRow('start-fresh', 'npm start, new data folder', fresh),
    toRow('start-existing', 'npm start, existing data folder', existing),
  ];
}
