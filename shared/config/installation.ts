import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { Installation } from './config.ts';
import type { ConfigFault } from './config-error.ts';
import type { VariableName, Variables } from './environment.ts';

type Report = (name: VariableName, message: string) => void;

/** The environment checked: values, every fault, and what is worth a warning. */
export function readInstallation(
  variables: Variables,
  { namespace, cwd }: { namespace: string; cwd: string },
): { installation: Installation; faults: readonly ConfigFault[]; warnings: readonly string[] } {
  const faults: ConfigFault[] = [];
  const report: Report = (path, message) => void faults.push({ file: 'environment', path, message });
  const production = variables.NODE_ENV === 'production';
  const host = variables.HOST?.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1';
  const port = readPort('PORT', variables.PORT, report) ?? 8888;
  const stores = readStores(variables, production, report);
  const installation: Installation = {
    port,
    host,
    adminPort: readPort('ADMIN_PORT', variables.ADMIN_PORT, report),
    publicUrl: readPublicUrl(variables.PUBLIC_URL, host, port, report),
    trustProxy: readTrustProxy(variables.TRUST_PROXY, report),
    secret: readSecret(variables.PORTICO_SECRET, stores, report),
    administrator: readAdministrator(variables, report),
    mongoUrl: readServer('MONGO_URL', variables, /^mongodb(\+srv)?:\/\/./, stores, report),
    redisUrl: readServer('REDIS_URL', variables, redisAddress, stores, report),
    redisCa: readCertificate(variables.REDIS_CA, report),
    stores,
    dataFolder: resolve(cwd, variables.PORTICO_DATA ?? join('.portico', namespace)),
    production,
    allowDemo: variables.PORTICO_ALLOW_DEMO === '1' || variables.PORTICO_ALLOW_DEMO === 'true',
  };
  const warnings =
    isWildcard(host) && variables.PUBLIC_URL === undefined
      ? [`HOST is ${host}, so PUBLIC_URL is taken to be ${installation.publicUrl}: set it to the address people use`]
      : [];
  return { installation, faults, warnings };
}

function readPort(name: 'PORT' | 'ADMIN_PORT', text: string | undefined, report: Report): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  report(name, `"${text}" is no port (0 to 65535)`);
  return undefined;
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Whether only this machine can reach an address. A name other than localhost cannot be told and counts as reachable. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function readPublicUrl(text: string | undefined, host: string, port: number, report: Report): string {
  const shown = isWildcard(host) ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  const fallback = `http://${shown}:${port}`;
  if (text === undefined) return fallback;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    report('PUBLIC_URL', `"${text}" is no http or https URL`);
  else if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || text.includes('?'))
    report('PUBLIC_URL', `"${text}" must be scheme, host and port alone, without a path`);
  else return url.origin;
  return fallback;
}

const network = /^(?<address>[^/]+?)(?:\/(?<bits>\d{1,3}))?$/;

function readTrustProxy(text: string | undefined, report: Report): number | readonly string[] {
  if (text === undefined) return 0;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const networks = text.split(',').map((one) => one.trim());
  for (const one of networks) {
    const { address = '', bits = '0' } = network.exec(one)?.groups ?? {};
    const family = isIP(address);
    if (family === 0 || Number(bits) > (family === 4 ? 32 : 128))
      report('TRUST_PROXY', `"${one}" is neither a number of proxies nor a network such as 10.0.0.0/8`);
  }
  return networks;
}

function readStores(variables: Variables, production: boolean, report: Report): Installation['stores'] {
  const chosen = variables.PORTICO_STORES;
  if (chosen === 'sqlite' || chosen === 'servers') return chosen;
  if (chosen !== undefined) report('PORTICO_STORES', `"${chosen}" is neither sqlite nor servers`);
  if (variables.MONGO_URL !== undefined || variables.REDIS_URL !== undefined) return 'servers';
  if (production)
    report(
      'PORTICO_STORES',
      'production has no stores: set MONGO_URL and REDIS_URL, or PORTICO_STORES=sqlite to keep everything in the data folder',
    );
  return 'sqlite';
}

function readSecret(secret: string | undefined, stores: Installation['stores'], report: Report): string | undefined {
  if (secret === undefined && stores === 'servers')
    report('PORTICO_SECRET', 'is required with servers: 32 bytes or more, the same for every process');
  if (secret !== undefined && Buffer.byteLength(secret) < 32)
    report('PORTICO_SECRET', `has ${Buffer.byteLength(secret)} bytes; 32 or more are needed`);
  return secret;
}

const shortestPassword = 12; // characters: it is made by a program, not by a person

function readAdministrator(variables: Variables, report: Report): Installation['administrator'] {
  const { PORTICO_ADMIN: name = 'admin', PORTICO_ADMIN_PASSWORD: password } = variables;
  if (!/^[^\s@]+(@[\w.-]+)?$/.test(name)) report('PORTICO_ADMIN', `"${name}" is no name of an account`);
  if (password !== undefined && password.length < shortestPassword)
    report('PORTICO_ADMIN_PASSWORD', `has ${password.length} characters; ${shortestPassword} or more are needed`);
  return { identity: name.includes('@') ? name : `${name}@local`, password };
}

/** The adapter reads it in full; this is for telling a slip before anything starts. */
const redisAddress = /^rediss?(-cluster|-sentinel)?:\/\/[^,\s]+(,\s*[^,\s]+)*$/;

function readCertificate(text: string | undefined, report: Report): string | undefined {
  if (text !== undefined && !text.includes('-----BEGIN CERTIFICATE-----'))
    report('REDIS_CA', 'holds no certificate in PEM form; a file is named by REDIS_CA_FILE');
  return text;
}

function readServer(
  name: 'MONGO_URL' | 'REDIS_URL',
  variables: Variables,
  form: RegExp,
  stores: Installation['stores'],
  report: Report,
): string | undefined {
  const url = variables[name];
  if (stores === 'servers' && url === undefined) report(name, 'is required with servers');
  if (url !== undefined && !form.test(url)) report(name, 'is no URL of its kind'); // the value may hold a password
  return url;
}
