import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Terminal } from './command.ts';

export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
}

/** A terminal over the process's streams. */
export function createTerminal(json: boolean, { input, output, errors }: TerminalStreams): Terminal {
  const ask = async (question: string, hidden: boolean): Promise<string> => {
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const interactive = input.isTTY === true;
    const lines = createInterface({ input, output: hidden || !interactive ? silent : errors, terminal: interactive });
    if (interactive) errors.write(question);
    try {
      for await (const line of lines) return line;
      return '';
    } finally {
      lines.close();
      if (interactive && hidden) errors.write('\n');
    }
  };
  return {
    json,
    say: (facts) => {
      output.write(`${json ? JSON.stringify(facts) : toText(facts)}\n`);
    },
    warn: (text) => {
      errors.write(`${text}\n`);
    },
    confirm: async (question) =>
      input.isTTY === true && /^y(es)?$/i.test((await ask(`${question} [y/N] `, false)).trim()),
    secret: (question) => ask(`${question}: `, true),
  };
}

function toText(facts: object | readonly object[] | string): string {
  if (typeof facts === 'string') return facts;
  if (!Array.isArray(facts))
    return Object.entries(facts)
      .map(([name, value]) => `${name}: ${cell(value)}`)
      .join('\n');
  return toTable(facts as readonly Readonly<Record<string, unknown>>[]);
}

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Columns as wide as their widest cell. */
function toTable(rows: readonly Readonly<Record<string, unknown>>[]): string {
  if (rows.length === 0) return 'none';
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names.map((name) => name.toUpperCase()), ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_name, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
