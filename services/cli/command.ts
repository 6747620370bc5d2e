import type { Config } from '#config/config.ts';
import type { Rooms } from '../rooms.ts';

/** Where a command speaks. With `--json` only JSON reaches standard output. */
export interface Terminal {
  readonly json: boolean;
  /** A line for a person, or the same facts as JSON: a list becomes a table or a JSON array. */
  say(facts: object | readonly object[] | string): void;
  /** To standard error. */
  warn(text: string): void;
  /** False without a person at the terminal. */
  confirm(question: string): Promise<boolean>;
  /** A word that is not shown while typed; the first line of standard input where that is no terminal. */
  secret(question: string): Promise<string>;
}

export interface CommandContext {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly load: () => Promise<Config>;
  /** Opens the configured application over its stores; closed after the command. */
  readonly open: () => Promise<Rooms>;
}

/** A command: its words and what it does. The parser is in parser.ts; a command runs in a test without a process. */
export interface Command {
  /** Such as `token revoke <owner>`; `[x]` may be missing, `<x...>` takes several. */
  readonly usage: string;
  readonly about: string;
  /** Such as `{ '--ttl <seconds>': 'lifetime' }`. */
  readonly options?: Readonly<Record<string, string>>;
  /** Arguments by name, options in camel case. Gives the exit code: 0 done, 1 failed, 2 used wrongly. */
  run(args: Readonly<Record<string, unknown>>, context: CommandContext): Promise<number>;
}
