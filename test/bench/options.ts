import { parseArgs } from 'node:util';
import type { PairCase } from './cases/case.ts';

export interface Options {
  readonly cases: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly json: string;
  readonly profile: boolean;
}

const words = {
  case: { type: 'string', multiple: true },
  rounds: { type: 'string', default: '4' },
  seconds: { type: 'string', default: '5' },
  connections: { type: 'string', default: '32' },
  json: { type: 'string', default: '.portico/bench.json' },
  profile: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function whole(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${name} takes a whole number above 0, not ${text}`);
}

/** Throws with a sentence for a person when a word is not understood. */
export function readOptions(args: readonly string[], known: readonly string[]): Options | 'help' {
  const { values } = parseArgs({ args: [...args], options: words });
  if (values.help) return 'help';
  const unknown = values.case?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no case ${unknown}; the cases are ${known.join(', ')}`);
  return {
    cases: values.case ?? known,
    rounds: whole('rounds', values.rounds),
    seconds: whole('seconds', values.seconds),
    connections: whole('connections', values.connections),
    json: values.json,
    profile: values.profile,
  };
}

export const usage = (cases: readonly PairCase[]): string => `npm run bench -- [options]

Compares Portico with the barest thing that does the same work, on this machine (docs/performance.md).

  --case <name>       only this one; may be repeated
  --rounds <n>        how often each is measured, in turn (${words.rounds.default})
  --seconds <s>       length of one measurement (${words.seconds.default})
  --connections <n>   requests under way at once (${words.connections.default})
  --json <file>       where the figures go (${words.json.default})
  --profile           says where Portico's time goes, without a comparison
  --help

Cases: ${[...cases.map(({ name }) => name), 'start'].join(', ')}

The exit code is 0 when bars are missed and 1 when a request was not answered as it should be.`;
