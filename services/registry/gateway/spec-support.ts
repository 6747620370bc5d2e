import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'; // prettier-ignore
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import { silentLog } from '#log.ts';
import { asProblem, renderErrors } from '#http/render-errors.ts';
import { requestId } from '#http/request-id.ts';
import type { HttpState } from '#http/state.ts';
import { createGateway, type GatewayDeps } from './gateway.ts';
import { readGatewayOptions } from './options.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Sockets open at the moment. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export async function listen(handle: RequestListener): Promise<Listening> {
  const server = createServer(handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connections: () => new Promise((resolve, reject) => server.getConnections((error, n) => (error ? reject(error) : resolve(n)))), // prettier-ignore
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answerer = (req: IncomingMessage, res: ServerResponse, seen: Seen) => void | Promise<void>;

/** A service behind that gives tokens, knows which are live, and remembers what it saw. */
export async function startUpstream(answer: Answerer = (_req, res, seen) => void res.end(JSON.stringify(seen))) {
  const seen: Seen[] = [];
  const live = new Set<string>();
  const tokens = { issued: 0, credentials: '', status: 200, delayMs: 0 };
  const giveToken = async (req: IncomingMessage, res: ServerResponse) => {
    tokens.issued += 1;
    tokens.credentials = Buffer.from((req.headers.authorization ?? '').slice('Basic '.length), 'base64').toString();
    const token = `${'t'.repeat(36)}${String(tokens.issued).padStart(4, '0')}`;
    await new Promise((done) => setTimeout(done, tokens.delayMs));
    if (tokens.status === 200) live.add(token);
    res.writeHead(tokens.status, { 'content-type': 'text/plain' }).end(token);
  };
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/rest/token') return giveToken(req, res);
    if (req.url?.startsWith('/rest/stream')) return answer(req, res, { method: '', url: '', headers: {}, body: '' });
    const { method = '', url = '', headers } = req;
    const one = { method, url, headers, body: await text(req) };
    seen.push(one);
    if (!live.has(String(headers['auth-token']))) return void res.writeHead(403).end('token');
    return answer(req, res, one);
  };
  const listening = await listen((req, res) => void handle(req, res).catch(() => res.destroy()));
  return { ...listening, seen, live, tokens };
}

export const demoPaths = {
  '/rest/echo-token': { GET: true, Post: true, put: true, DELETE: true, PATCH: false },
  '/rest/crud/{class}/:id': { get: true, delete: true },
  '/rest/stream': { get: true, post: true },
};

export interface Setup {
  readonly endPoint?: string;
  readonly restUrl?: string;
  readonly timeoutMs?: number;
  readonly deps?: Partial<GatewayDeps>;
}

export const session = { cookie: 'session=demo' };

/** An app with the gateway alone; `session` signs in as demo@local; a foreign Origin counts as cross-site. */
export async function startGateway({ endPoint, restUrl = '', timeoutMs = 2000, deps = {} }: Setup) {
  const written = {
    base: '/gw',
    clientId: 'ext@system',
    clientSecret: 's3cret',
    endPoint,
    definition: { paths: demoPaths },
  };
  const app = new Koa<HttpState>();
  app.silent = true;
  app.use(requestId(silentLog)).use(renderErrors(asProblem));
  app.use(
    createGateway({
      options: readGatewayOptions(written, 'gw', () => ''),
      readSession: async (cookie) => (cookie.includes(session.cookie) ? { identity: 'demo@local' } : undefined),
      isCrossSite: ({ headers }) => headers.origin === 'http://evil.example',
      log: silentLog,
      restUrl: () => restUrl,
      timeoutMs,
      ...deps,
    }),
  );
  app.use((ctx) => {
    ctx.body = 'next';
  });
  const handle = app.callback();
  return listen((req, res) => void handle(req, res));
}

/** Writes bytes to a port and gives all that comes until the other side closes, or `waitMs` of silence. */
export async function raw(port: number, bytes: string, waitMs = 500): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(waitMs, () => socket.destroy());
  socket.on('error', () => {});
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return received;
}

/** The status lines within what `raw` gave. */
export const statuses = (received: string): number[] =>
  Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
