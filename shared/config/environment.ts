import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ConfigFault } from './config-error.ts';

export type Env = Readonly<Record<string, string | undefined>>;

interface Variable {
  readonly fallback: string;
  readonly unit: string;
  readonly about: string;
}

const variable = (fallback: string, unit: string, about: string): Variable => ({ fallback, unit, about });

/** What the installation's environment may say, once: name → default in words, unit, meaning. */
export const environment = {
  PORT: variable('8888', '', 'Port of the listener; 0 takes a free one'),
  HOST: variable('127.0.0.1', '', 'Address of the listener'),
  ADMIN_PORT: variable('none', '', 'Port of health and metrics, on the same address'),
  PUBLIC_URL: variable('http://HOST:PORT', 'URL', 'Where people and clients reach this: issuer, links, Origin check'),
  TRUST_PROXY: variable('none', '', 'How many proxies stand in front, or their networks, with commas'),
  PORTICO_SECRET: variable(
    'made and kept in the data folder; required with servers',
    '32 bytes or more',
    'Cookie keys, keyed digests and the encryption of signing keys are derived from it',
  ),
  PORTICO_ADMIN: variable('admin@local', '', 'Name of the first administrator (docs/operations.md)'),
  PORTICO_ADMIN_PASSWORD: variable(
    'none',
    '12 characters or more',
    'Of the first administrator, which a first start makes; counts never again',
  ),
  MONGO_URL: variable('none', 'URL', 'MongoDB (a replica set) for objects, files, accounts and rights'),
  REDIS_URL: variable(
    'none',
    'URL',
    'Redis for sessions, tokens, grants and limits; several with commas are a cluster',
  ),
  REDIS_CA: variable('that of the system', 'PEM', 'Authority that signed the certificates of rediss:// servers'),
  PORTICO_STORES: variable('told from the URLs', '', '`sqlite` (embedded) or `servers`; production needs a choice'),
  PORTICO_DATA: variable('.portico/<namespace>', 'folder', 'Where the embedded stores and the made secret lie'),
  PORTICO_APP: variable('this folder, else the installation', 'folder', 'Folder with deploy.json; as `--app`'),
  PORTICO_ALLOW_DEMO: variable('0', '', '`1` lets example credentials run in production and beyond loopback'),
  NODE_ENV: variable('none', '', '`production` turns the checks for production on'),
} as const satisfies Readonly<Record<string, Variable>>;

export type VariableName = keyof typeof environment;
export const variableNames = Object.keys(environment) as readonly VariableName[];

/** What is set, by name: `NAME`, or the content of the file that `NAME_FILE` names, without the line's end. Empty is unset. */
export type Variables = Partial<Record<VariableName, string>>;

export async function readVariables(
  env: Env,
  cwd: string,
): Promise<{ variables: Variables; faults: readonly ConfigFault[] }> {
  const faults: ConfigFault[] = [];
  const variables: Variables = {};
  const fault = (path: string, message: string) => void faults.push({ file: 'environment', path, message });
  for (const name of variableNames) {
    const [value, file] = [env[name] || undefined, env[`${name}_FILE`] || undefined];
    if (value !== undefined && file !== undefined) fault(name, `set ${name} or ${name}_FILE, not both`);
    else if (value !== undefined) variables[name] = value;
    else if (file !== undefined)
      await readFile(resolve(cwd, file), 'utf8').then(
        (text) => void (variables[name] = text.replace(/\r?\n$/, '')),
        () => fault(`${name}_FILE`, `${file} cannot be read`),
      );
  }
  return { variables, faults };
}
