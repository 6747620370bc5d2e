import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startPortico, type RunningPortico, type StartOptions } from '../support/start-portico.ts';
import { pin, type Cores } from './measure/cores.ts';

/** A baseline, or a service that stands behind both: a file of `baselines` in a process of its own. */
export interface RunningBaseline {
  readonly url: string;
  readonly pid: number;
}

/** What a case starts. All of it ends with the bench. */
export interface Bench {
  portico(options?: StartOptions): Promise<RunningPortico & { readonly pid: number }>;
  /** @param options handed to the baseline as JSON */
  baseline(file: string, options?: object): Promise<RunningBaseline>;
  /** As a baseline, on the core of the load: it is not what is measured. */
  behind(file: string, options?: object): Promise<RunningBaseline>;
  /** A folder of its own, removed at the end. */
  folder(): Promise<string>;
  close(): Promise<void>;
}

/** @param env added to Portico's environment only */
export function createBench(cores: Cores, env: Readonly<Record<string, string>> = {}): Bench {
  const stack = new AsyncDisposableStack();

  async function folder(): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), 'portico-bench-'));
    stack.defer(() => rm(made, { recursive: true, force: true }));
    return made;
  }

  async function start(file: string, options: object, core: number | undefined): Promise<RunningBaseline> {
    const script = join(import.meta.dirname, 'baselines', file);
    const words = ['--no-deprecation', script, JSON.stringify(options)]; // http-proxy uses an old function
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    stack.defer(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
    const lines = createInterface({ input: child.stdout });
    const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`)));
    ended.catch(() => {}); // after the start it is no error
    const [url] = (await Promise.race([once(lines, 'line'), ended])) as [string];
    pin(child.pid!, core);
    return { url, pid: child.pid! };
  }

  return {
    async portico(options = {}) {
      const portico = await startPortico({ ...options, env: { ...env, ...options.env } });
      stack.defer(() => portico.stop());
      pin(portico.process.pid!, cores.server);
      return { ...portico, pid: portico.process.pid! };
    },
    baseline: (file, options = {}) => start(file, options, cores.server),
    behind: (file, options = {}) => start(file, options, cores.load),
    folder,
    close: () => stack.disposeAsync(),
  };
}
