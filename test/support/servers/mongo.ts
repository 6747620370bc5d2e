import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Mongoose } from 'mongoose';
import { freePort } from '../start-portico.ts';
import { startProcess, type ServerProcess } from './process.ts';

const run = promisify(execFile);

export interface MongoServer extends Pick<ServerProcess, 'hold' | 'letGo' | 'kill'> {
  readonly url: string;
  /** Starts a killed server again, at the same address with what it had stored. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

interface Installed {
  /** Folder in which PostgreSQL lives. */
  readonly root: string;
  readonly binaries: string;
  readonly ferretdb: string;
  readonly extension: string;
}

/** Installs what is missing and says so, for it takes a minute or two. Rejects when something is not to be had. */
async function install(): Promise<Installed> {
  const script = spawn(join(import.meta.dirname, 'mongo-install.sh'), { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed, [code]] = await Promise.all([text(script.stdout), once(script, 'close')]);
  if (code !== 0) throw new Error('no server for MONGO_URL can be had; the lines above say why');
  return JSON.parse(printed) as Installed;
}

const nobody = 65_534;

/** A server that speaks MongoDB's protocol, on a free port of this machine, with data of its own (docs/decisions). */
export async function startMongo(): Promise<MongoServer> {
  const installed = await install();
  const postgres = await startPostgres(installed);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'portico-ferretdb-'));
  await chown(folder, nobody, nobody);
  const url = `mongodb://portico:portico@127.0.0.1:${port}/?authSource=admin&authMechanism=SCRAM-SHA-256&directConnection=true`;
  const start = async (): Promise<ServerProcess> => {
    const user = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', 'env', '-i'];
    const args = [
      ...user,
      'PATH=/usr/bin:/bin',
      `HOME=${folder}`,
      installed.ferretdb,
      `--postgresql-url=${postgres.url}`,
    ];
    const quiet = ['--debug-addr=', '--telemetry=disable', '--log-level=ERROR', '--auth', `--state-dir=${folder}`];
    const started = await startProcess('setpriv', [...args, `--listen-addr=127.0.0.1:${port}`, ...quiet]);
    await answers(url);
    return started;
  };
  const remove = async (): Promise<void> => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  let server: ServerProcess;
  try {
    server = await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url,
    hold: () => server.hold(),
    letGo: () => server.letGo(),
    kill: () => server.kill(),
    async restart() {
      await server.kill();
      server = await start();
    },
    async stop() {
      await server.kill();
      await remove();
    },
  };
}

async function answers(url: string): Promise<void> {
  const connection = new Mongoose().createConnection();
  try {
    await connection.openUri(url, { serverSelectionTimeoutMS: 15_000 });
    await connection.db!.admin().ping();
  } finally {
    await connection.close();
  }
}

/** Nothing here must outlive the machine: what costs time for that is off. */
const settings = (port: number): string => `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = ''
shared_preload_libraries = 'pg_cron,pg_documentdb_core,pg_documentdb'
cron.database_name = 'postgres'
max_connections = 200
shared_buffers = 256MB
fsync = off
synchronous_commit = off
full_page_writes = off
jit = off
timezone = 'UTC'
deadlock_timeout = '20ms'
log_min_messages = fatal
documentdb_core.enableCollation = on
`;

async function startPostgres({ root, binaries, extension }: Installed) {
  const inside = [
    '--userspec=postgres:postgres',
    root,
    '/usr/bin/env',
    '-i',
    `PATH=${binaries}:/usr/bin:/bin`,
    'HOME=/tmp',
    'LC_ALL=C.UTF-8',
  ];
  const inRoot = (...command: readonly string[]) => run('chroot', [...inside, ...command]);
  const folder = (await inRoot('mktemp', '-d', '/tmp/pg.XXXXXX')).stdout.trim();
  const port = await freePort();
  const ask = (sql: string) =>
    inRoot(...`psql -qAt -h 127.0.0.1 -p ${port} -U postgres -d postgres -v ON_ERROR_STOP=1 -c`.split(' '), sql);
  await inRoot(...`initdb -D ${folder}/data -U postgres --auth=trust --no-sync -E UTF8 --locale=C.UTF-8`.split(' '));
  await appendFile(join(root, folder, 'data/postgresql.conf'), settings(port));
  const server = await startProcess('chroot', [...inside, 'postgres', '-D', `${folder}/data`]);
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(join(root, folder), { recursive: true, force: true });
  };
  try {
    await untilReady(() => ask('select 1'));
    await ask('create extension documentdb cascade');
    await ask(`create role portico login superuser password 'portico'`);
    const found = (await ask(`select extversion from pg_extension where extname = 'documentdb'`)).stdout.trim();
    if (found !== extension) process.stderr.write(`DocumentDB ${found} is here, ${extension} is what was tried\n`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres?pool_max_conns=60`, stop };
}

async function untilReady(ask: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + 30_000; ;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (Date.now() > end) throw new Error('PostgreSQL does not answer', { cause: error });
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}
