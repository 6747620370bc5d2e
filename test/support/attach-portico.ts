import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli, type RunningPortico } from './start-portico.ts';

/** What a test that starts nothing needs to know of an installation that runs already. */
export interface InstallationNote {
  readonly url: string;
  /** Environment of its processes, for commands. */
  readonly env: Readonly<Record<string, string>>;
  /** File with what its processes log. */
  readonly log: string;
}

/** An installation that runs already and goes on running; `note` is the path of an `InstallationNote`. */
export function attachPortico(note: string): RunningPortico {
  const { url, env, log } = JSON.parse(readFileSync(note, 'utf8')) as InstallationNote;
  const withPath = { PATH: process.env['PATH'], ...env };
  return {
    url,
    data: env['PORTICO_DATA'] ?? join(note, '..'),
    get process(): never {
      throw new Error('this installation was not started by the test');
    },
    output: () => readFileSync(log, 'utf8'),
    fetch: (path, init) => fetch(`${url}${path}`, { redirect: 'manual', ...init }),
    cli: (...args) => runCli(args, withPath),
    cliWith: (input, ...args) => runCli(args, withPath, input),
    stop: async () => {},
  };
}
