import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openData, type Definition } from './open-data.ts';
import type { Role } from '#access/roles.ts';
import { silentLog } from '#log.ts';
import type { Service } from '#service/index.ts';
import { createRestApp } from '../../services/rest/app.ts';
import { createServiceRouter } from '../../services/rest/service-router.ts';
import { settingsWith } from './open-fixture.ts';

export interface ServeOptions {
  readonly definitions: readonly Definition[];
  /** Permissions by identity; the header `x-as` says who calls. */
  readonly rights: Readonly<Record<string, Role['permissions']>>;
  readonly settings?: Parameters<typeof settingsWith>[0];
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body parsed; undefined when it is no JSON. */
  readonly json: unknown;
}

/** A service on a real server of its own, over real stores. Authentication is the header `x-as`. */
export async function serveService(
  make: (options: ReturnType<typeof optionsOf>) => Service<never>,
  { definitions, rights, settings = {}, options = {} }: ServeOptions,
) {
  const data = await openData(definitions, rights);
  const service = make(optionsOf(data, settings, options));
  const app = createRestApp({
    log: silentLog,
    services: new Map([['svc', await createServiceRouter(service as unknown as Service)]]),
    limits: { body: 1024 * 1024, file: 1024 * 1024, items: 10_000, depth: 50 },
    handlerTimeout: 5000,
    trustProxy: 0,
    secure: false,
    origins: [],
    authenticatorOf: () => async (request) => {
      const id = request.get('x-as');
      return { user: id === '' ? null : { id, name: id, properties: {} } };
    },
    access: data.access,
    isRestricted: () => false,
  });
  const server = createServer((request, response) => void app.callback()(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Buffer;
    const sent = isRaw ? body : JSON.stringify(body);
    const type = isRaw ? {} : { 'content-type': 'application/json' };
    const request = httpRequest({
      port,
      method,
      path: `/rest/svc${path}`,
      headers: { 'x-as': 'all@local', ...type, ...headers },
    });
    request.end(sent);
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
    const got = await text(response);
    const answer: Answer = {
      status: response.statusCode ?? 0,
      headers: response.headers as Record<string, string>,
      text: got,
      json: /json/.test(response.headers['content-type'] ?? '') && got !== '' ? tryJson(got) : undefined,
    };
    return answer;
  };
  return {
    ...data,
    url: `http://127.0.0.1:${port}/rest/svc`,
    port,
    call,
    async close() {
      server.closeAllConnections();
      server.close();
      await data.close();
    },
  };
}

const tryJson = (got: string): unknown => {
  try {
    return JSON.parse(got);
  } catch {
    return undefined;
  }
};

const optionsOf = (
  data: Awaited<ReturnType<typeof openData>>,
  settings: Parameters<typeof settingsWith>[0],
  more: Readonly<Record<string, unknown>>,
) => ({
  ...more,
  dataRepo: data.repo,
  securedDataRepo: data.secured,
  metaRepo: data.classes,
  files: data.stores.files,
  state: data.stores.state,
  digestKey: Buffer.alloc(32, 7),
  settings: settingsWith(settings),
});

export type Served = Awaited<ReturnType<typeof serveService>>;
