import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const root = join(import.meta.dirname, '..', '..');

export interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** docker-compose.yml as it is run: merged, and `${NAME}`, `${NAME:-word}` and `${NAME:?word}` replaced. */
export function readComposeFile(variables: Readonly<Record<string, string>>): ComposeFile {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  return parse(interpolate(text, variables), { merge: true }) as ComposeFile;
}

export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g, (whole, name?: string, kind?: string, word = '') => {
    if (name === undefined) return whole === '$$' ? '$' : whole;
    const value = variables[name];
    if (value !== undefined && value !== '') return value;
    if (kind === '-') return word;
    throw new Error(kind === '?' ? `${name}: ${word}` : `${name} is not set`);
  });
}
