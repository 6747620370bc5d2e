import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { attachPortico } from './attach-portico.ts';

const root = join(import.meta.dirname, '..', '..');

/** What a hook that timed out never got to stop ends with the run. */
const serving = new Set<ChildProcess>();
process.once('exit', () => serving.forEach((child) => child.kill('SIGKILL')));

export interface StartOptions {
  /** `start` serves all roles in one process; a role serves it alone. */
  readonly role?: 'rest' | 'auth' | 'registry';
  readonly env?: Readonly<Record<string, string>>;
  /** Folder of another application; the demo otherwise. */
  readonly application?: string;
  /** An existing data folder, kept afterwards. */
  readonly data?: string;
}

/** A portico that runs in a process of its own on a free port, with a data folder of its own. */
export interface RunningPortico {
  readonly url: string;
  readonly data: string;
  readonly process: ChildProcess;
  /** What it has printed so far, both streams. */
  output(): string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A command of the command line over the same data. */
  cli(...args: readonly string[]): Promise<{ code: number; out: string; err: string }>;
  /** The same with a line on standard input, such as a password. */
  cliWith(input: string, ...args: readonly string[]): Promise<{ code: number; out: string; err: string }>;
  stop(): Promise<void>;
}

/** A port that nobody listens on; base_url must be known before the process starts. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const clean = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(PORTICO_|MONGO_URL|REDIS_URL|PORT$|HOST$|PUBLIC_URL|NODE_ENV)/.test(name),
    ),
  );

/** With `PORTICO_TEST_INSTALLATION`, who asks for nothing special gets the installation that it describes. */
export async function startPortico(options: StartOptions = {}): Promise<RunningPortico> {
  const running = process.env['PORTICO_TEST_INSTALLATION'];
  if (running !== undefined && Object.keys(options).length === 0) return attachPortico(running);
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'portico-test-')));
  const port = await freePort();
  const env = {
    ...clean(process.env),
    PORT: String(port),
    PORTICO_DATA: data,
    ...(options.application === undefined ? {} : { PORTICO_APP: options.application }),
    ...options.env,
  };
  const words = options.role === undefined ? ['start'] : ['serve', options.role];
  const child = spawn(process.execPath, [join(root, 'bin/portico.js'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  serving.add(child);
  child.once('exit', () => serving.delete(child));
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      output += `${line}\n`;
      if (line.startsWith('Ready')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`portico ended with ${code} before it served:\n${output}`)));
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    data,
    process: child,
    output: () => output,
    fetch: (path, init) => fetch(`${url}${path}`, { redirect: 'manual', ...init }),
    cli: (...args) => runCli(args, env),
    cliWith: (input, ...args) => runCli(args, env, input),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      if (options.data === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}

/** Runs a command to its end. */
export async function runCli(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input = '',
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [join(root, 'bin/portico.js'), ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

export const basic = (user: string, password: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

export const demo = basic('demo@local', 'portico-demo');

/** Signs in as a browser form does; gives the `Cookie` header. */
export async function signIn(
  portico: Pick<RunningPortico, 'fetch'>,
  username = 'demo@local',
  password = 'portico-demo',
): Promise<string> {
  const response = await portico.fetch('/auth', { method: 'POST', body: new URLSearchParams({ username, password }) });
  const [cookie] = response.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`signing in as ${username} gave ${response.status} and no cookie`);
  return cookie.split(';')[0]!;
}
