import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort, runCli } from '../support/start-portico.ts';
import { readComposeFile, root, type ComposeService } from './compose-file.ts';

export type RoleName = 'rest' | 'auth' | 'registry';

export interface InstallationOptions {
  /** Folder with deploy.json; the demo otherwise. */
  readonly application?: string;
  /** Of MongoDB and Redis; without them everything lies in one folder. */
  readonly servers?: { readonly mongoUrl: string; readonly redisUrl: string } | undefined;
  /** How many processes serve /rest. */
  readonly rest?: number;
  /** Beyond what docker-compose.yml sets. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A process as docker-compose.yml describes it, on this machine. */
export interface ServiceProcess {
  readonly role: RoleName;
  readonly port: number;
  /** Asked to end as a container is; gives the exit code. */
  stop(): Promise<number | null>;
  /** Again, at the same address. */
  start(): Promise<void>;
}

export interface Installation {
  readonly url: string;
  readonly httpUrl: string;
  readonly folder: string;
  /** Certificate of the origin. */
  readonly certificate: string;
  readonly processes: readonly ServiceProcess[];
  /** Environment of the processes. */
  readonly env: Readonly<Record<string, string>>;
  /** File with what the processes log. */
  readonly log: string;
  secret(name: string): string;
  /** All that the processes logged so far. */
  printed(): string;
  nginxLog(): string;
  /** A command of the command line; gives what it prints. */
  cli(...words: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Secrets by the same script, commands and environment by docker-compose.yml, nginx by its own file; only places differ. */
export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-installation-'));
  const stopping: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    await Promise.all(stopping.splice(0).map((end) => end()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const secrets = makeSecrets(folder);
    const [https, http, auth, registry] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const rest = await Promise.all(Array.from({ length: options.rest ?? 1 }, freePort));
    const url = `https://localhost:${https}`;
    const log = join(folder, 'log');
    const { services } = readComposeFile({ PUBLIC_URL: url, APPLICATION: options.application ?? root });
    const ports: readonly (readonly [RoleName, number])[] = [
      ...rest.map((port) => ['rest', port] as const),
      ['auth', auth],
      ['registry', registry],
    ];
    const more = storesOf(options, { folder, secrets });
    const envOf = (role: RoleName, port: number) => ({
      ...placed(services[role]!.environment!, secrets, rest[0]!),
      ...more,
      PORTICO_APP: options.application ?? root,
      HOST: '127.0.0.1',
      PORT: String(port),
    });
    const processes = ports.map(([role, port]) => createProcess(role, services[role]!, { port, env: clean(envOf(role, port)), log })); // prettier-ignore
    stopping.push(...processes.map((one) => () => one.stop()));
    await Promise.all(processes.map((one) => one.start()));
    stopping.unshift(await startNginx({ folder, secrets, ports: { https, http, rest, auth, registry } }));
    return {
      url,
      httpUrl: `http://localhost:${http}`,
      folder,
      certificate: join(secrets, 'tls-certificate.pem'),
      processes,
      env: clean(envOf('auth', auth)),
      log,
      secret: (name) => readFileSync(join(secrets, name), 'utf8'),
      printed: () => readFileSync(log, 'utf8'),
      nginxLog: () => readFileSync(join(folder, 'nginx.log'), 'utf8'),
      async cli(...words) {
        const { code, out, err } = await runCli(words, { PATH: process.env['PATH'], ...clean(envOf('auth', auth)) });
        if (code !== 0) throw new Error(`portico ${words.join(' ')} ended with ${code}: ${err}`);
        return out;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function makeSecrets(folder: string): string {
  const script = join(folder, 'containers', 'make-secrets');
  mkdirSync(dirname(script));
  copyFileSync(join(root, 'containers', 'make-secrets'), script);
  execFileSync(script, ['--self-signed', 'localhost']);
  return join(folder, 'containers', 'secrets');
}

/** Places of a container as places of this machine. */
const placed = (environment: Readonly<Record<string, string>>, secrets: string, rest: number) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/^\/run\/secrets(?=\/)/, secrets).replace(/^http:\/\/rest:8888$/, `http://127.0.0.1:${rest}`),
    ]),
  );

function storesOf(options: InstallationOptions, { folder, secrets }: { folder: string; secrets: string }) {
  const data = join(folder, 'data');
  const demo = options.application === undefined ? { PORTICO_ALLOW_DEMO: '1' } : {};
  const common = { PORTICO_DATA: data, ...demo, ...options.env };
  if (options.servers === undefined)
    return { ...common, PORTICO_STORES: 'sqlite', MONGO_URL_FILE: '', REDIS_URL_FILE: '' };
  rmSync(join(secrets, 'mongo-url'));
  rmSync(join(secrets, 'redis-url'));
  writeFileSync(join(secrets, 'mongo-url'), options.servers.mongoUrl);
  writeFileSync(join(secrets, 'redis-url'), options.servers.redisUrl);
  return common;
}

const clean = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

interface Setting {
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly log: string;
}

function createProcess(role: RoleName, { command = [] }: ComposeService, { port, env, log }: Setting): ServiceProcess {
  let child: ReturnType<typeof spawn> | undefined;
  return {
    role,
    port,
    async start() {
      const sink = openSync(log, 'a'); // its own: what it printed is there when its answer is
      const started = spawn(process.execPath, [join(root, 'bin/portico.js'), ...command], {
        env,
        stdio: ['ignore', 'pipe', sink],
      });
      closeSync(sink);
      child = started;
      await new Promise<void>((resolve, reject) => {
        createInterface({ input: started.stdout! }).on('line', (line) => {
          if (line.startsWith('Ready')) resolve();
        });
        started.once('exit', (code) => {
          reject(new Error(`${role} ended with ${code} before it served:\n${readFileSync(log, 'utf8').slice(-2000)}`));
        });
      });
    },
    async stop() {
      if (child === undefined) return null;
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}

interface NginxPlaces {
  readonly folder: string;
  readonly secrets: string;
  readonly ports: { https: number; http: number; rest: readonly number[]; auth: number; registry: number };
}

/** The configuration of the container with the places of this machine. */
export function nginxConfiguration({ folder, secrets, ports }: NginxPlaces): string {
  const servers = { rest: ports.rest, auth: [ports.auth], registry: [ports.registry] };
  return Object.entries(servers)
    .reduce(
      (text, [name, all]) =>
        text.replace(new RegExp(`server ${name}:8888(.*;)`), (_whole, rest: string) =>
          all.map((port) => `server 127.0.0.1:${port}${rest}`).join('\n'),
        ),
      readFileSync(join(root, 'containers/nginx/nginx.conf'), 'utf8'),
    )
    .replace('listen 8443', `listen ${ports.https}`)
    .replace('listen 8080', `listen ${ports.http}`)
    .replaceAll('/run/secrets', secrets)
    .replaceAll('/tmp/nginx', join(folder, 'nginx'))
    .replaceAll(/\/dev\/std(out|err)/g, join(folder, 'nginx.log'));
}

async function startNginx(places: NginxPlaces): Promise<() => Promise<void>> {
  const file = join(places.folder, 'nginx.conf');
  writeFileSync(file, nginxConfiguration(places));
  const child = spawn('nginx', ['-c', file, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', (error) => reject(new Error(`nginx cannot be started: ${error.message}`)));
    child.once('exit', (code) => reject(new Error(`nginx ended with ${code}:\n${printed}`)));
  });
  ended.catch(() => {});
  const probe = `http://127.0.0.1:${places.ports.http}/healthz`;
  const answers = async () => {
    while (!(await fetch(probe).catch(() => undefined))?.ok) await new Promise((done) => setTimeout(done, 20));
  };
  await Promise.race([answers(), ended]);
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
}
