import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '#config/config-error.ts';
import { loadConfig } from '#config/load-config.ts';
import { AppError } from '#errors.ts';
import { createLog } from '#log.ts';
import { openRooms, type Rooms } from '../rooms.ts';
import { backup } from './backup.ts';
import { check } from './check.ts';
import { clientCommands } from './client.ts';
import type { Command } from './command.ts';
import { runCommandLine } from './parser.ts';
import { exportData } from './export.ts';
import { importData } from './import.ts';
import { roleCommands } from './role.ts';
import { serveRole } from './serve.ts';
import { start } from './start.ts';
import { createTerminal } from './terminal.ts';
import { tokenCommands } from './token.ts';
import { upgrade } from './upgrade.ts';
import { userCommands } from './user.ts';

const installation = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(installation, 'package.json'), 'utf8')) as { version: string };

const commands: readonly Command[] = [
  start,
  serveRole,
  check,
  ...userCommands,
  ...roleCommands,
  ...clientCommands,
  ...tokenCommands,
  exportData,
  importData,
  backup,
  upgrade,
];

/** Runs the command line. Gives the exit code: 0 done, 1 failed (with a sentence why), 2 used wrongly. */
export async function main(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const opened: Rooms[] = [];
  // whoever read what is printed may leave; a server serves on, and a log line about it would fail the same way
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const streams = { input: process.stdin, output: process.stdout, errors: process.stderr };
  try {
    return await runCommandLine(words, {
      commands,
      version,
      terminal: (json) => createTerminal(json, streams),
      context: (terminal, application) => {
        const load = () =>
          loadConfig({ env, cwd: process.cwd(), ...(application === undefined ? {} : { application }) });
        return {
          terminal,
          env,
          load,
          async open() {
            const config = await load();
            const log = createLog({
              level: config.settings('log.level'),
              form: process.stderr.isTTY ? 'text' : 'json',
            });
            for (const warning of config.warnings) log.warn(warning);
            const rooms = await openRooms(config, log);
            opened.push(rooms);
            return rooms;
          },
        };
      },
    });
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    return 1;
  } finally {
    for (const rooms of opened) await rooms.close();
  }
}

/** A sentence for a person; the stack only of faults that are ours. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof AppError) {
    const detail = error.message === error.publicText ? [] : [error.message]; // an operator may read what the log holds
    const faults = error.faults.map(({ property, message }) => `  ${property ?? ''} ${message}`);
    return [error.publicText, ...detail, ...faults].join('\n');
  }
  const { code, syscall, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `The port is taken: ${message}. Choose another by PORT.`;
  if (syscall !== undefined) return message;
  return error instanceof Error ? (error.stack ?? message) : String(error);
}
