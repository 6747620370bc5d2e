import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { AppError } from '#errors.ts';
import { toListener } from '#http/to-listener.ts';
import { silentLog } from '#log.ts';
import { redact } from '#redact.ts';
import { Service, type Handler, type Routes } from '#service/index.ts';
import { createRestApp } from './app.ts';
import { createServiceRouter } from './service-router.ts';

const handlers: Readonly<Record<string, Handler>> = {
  object: () => ({ a: 1 }),
  list: () => [1, 2],
  number: () => 7,
  text: () => 'plain',
  nothing: () => undefined,
  nil: () => null,
  envelope: () => ({ data: { a: 1 }, headers: ['X-One: 1', 'Content-Type: application/vnd.x+json'], status: 201 }),
  map: () => ({ data: '<b>', headers: { 'Content-Type': 'text/html', 'X-Two': 2 } }),
  lookalike: () => ({ data: 1, other: 2 }),
  empty: () => ({}),
  buffer: () => Buffer.from([1, 2, 3]),
  stream: () => ({ data: Readable.from(['a', 'b']), headers: ['Content-Length: 2'] }),
  broken: () => {
    throw new Error('secret detail of the handler');
  },
  denied: () => {
    throw new AppError('forbidden', 'why, for the log');
  },
  code: () => Promise.reject(Object.assign(new Error('This box is closed'), { code: 423 })),
  hang: () => new Promise(() => {}),
  breaks: () =>
    Readable.from(
      (async function* parts() {
        yield 'x'.repeat(100);
        await wait(10);
        throw new Error('the source broke');
      })(),
    ),
  slow: async ({ signal }) => {
    await once(signal, 'abort');
    return null;
  },
  bytes: async ({ stream, body }) => ({ got: await text(stream), body: body ?? 'unparsed' }),
  echo: ({ params, query, path, method, body, id }) => ({ params, query, path, method, body, id }),
};

class Everything extends Service {
  override routes(routes: Routes) {
    for (const [name, handler] of Object.entries(handlers)) {
      routes.add('GET', `/${name}`, handler);
      routes.add('POST', `/${name}`, handler);
    }
    routes.add('SEARCH', '/only-search/:id', handlers['echo']!);
    routes.add('GET', '/:first/of/:second', handlers['echo']!);
  }
}

describe('the way of a call to a service', () => {
  let server: Server;
  let url: string;
  const logged: string[] = [];

  before(async () => {
    const log = {
      ...silentLog,
      error: (message: string, fields?: object) => void logged.push(JSON.stringify(redact([message, fields]))),
      with: () => log,
    };
    const app = createRestApp({
      log,
      services: new Map([['all', await createServiceRouter(new Everything({}))]]),
      limits: { body: 1000, file: 1000, items: 100, depth: 10 },
      handlerTimeout: 150,
      trustProxy: 0,
      secure: true,
      origins: ['https://page.example'],
      authenticatorOf: () => async () => ({ user: null }),
      access: { rightsOf: () => Promise.reject(new Error('not asked')) },
      isRestricted: () => false,
    });
    server = createServer(toListener(app));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest/all/`;
  });
  after(() => server.close());

  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('answers objects, lists, numbers and texts as JSON', async () => {
    for (const [name, expected] of [
      ['object', '{"a":1}'],
      ['list', '[1,2]'],
      ['number', '7'],
      ['text', '"plain"'],
      ['lookalike', '{"data":1,"other":2}'],
      ['empty', '{}'],
    ]) {
      const { status, headers, text: body } = await call(name!);
      expect([status, body]).to.deep.equal([200, expected]);
      expect(headers.get('content-type')).to.match(/^application\/json/);
    }
  });

  it('answers 200 without a body for null and undefined', async () => {
    for (const name of ['nothing', 'nil']) {
      const { status, text: body, headers } = await call(name);
      expect([status, body]).to.deep.equal([200, '']);
      expect(headers.get('content-type')).to.equal(null);
    }
  });

  it('takes data, headers and status from an envelope; its headers win', async () => {
    const one = await call('envelope');
    expect([one.status, one.text, one.headers.get('x-one')]).to.deep.equal([201, '{"a":1}', '1']);
    expect(one.headers.get('content-type')).to.equal('application/vnd.x+json');
    const two = await call('map');
    expect([two.text, two.headers.get('x-two'), two.headers.get('content-type')]).to.deep.equal([
      '<b>',
      '2',
      'text/html',
    ]);
  });

  it('sends bytes of buffers and streams', async () => {
    expect((await call('buffer')).text).to.equal('\u0001\u0002\u0003');
    const stream = await call('stream');
    expect([stream.text, stream.headers.get('content-length')]).to.deep.equal(['ab', '2']);
  });

  it("answers 500 without details to a throw, 403 to an access error, the code's own status where it has one", async () => {
    const broken = await call('broken');
    expect([broken.status, broken.text]).to.deep.equal([500, 'Internal server error']);
    expect(logged.join()).to.include('secret detail of the handler');
    expect((await call('denied')).status).to.equal(403);
    const code = await call('code');
    expect([code.status, code.text]).to.deep.equal([423, 'This box is closed']);
  });

  it('ends a handler without progress with 503 and aborts its signal, and serves others meanwhile', async () => {
    const [hang, slow, fine] = await Promise.all([call('hang'), call('slow'), call('object')]);
    expect([hang.status, slow.status, fine.status]).to.deep.equal([503, 503, 200]);
    expect(hang.headers.get('retry-after')).to.match(/^\d+$/);
  });

  it('cuts the answer of a stream that breaks, and serves on', async () => {
    const failed = await call('breaks').then(
      () => 'whole',
      () => 'cut',
    );
    expect(failed).to.equal('cut');
    expect((await call('object')).status).to.equal(200);
  });

  it('gives params, nested query, path, method and the request id', async () => {
    const { text: body, headers } = await call('a%20b/of/c?x=1&y[]=2&z[w]=3', {
      headers: { 'x-request-id': 'given-id-1' },
    });
    expect(JSON.parse(body)).to.deep.equal({
      params: { first: 'a b', second: 'c' },
      query: { x: '1', y: ['2'], z: { w: '3' } },
      path: '/a%20b/of/c',
      method: 'GET',
      id: 'given-id-1',
    });
    expect(headers.get('x-request-id')).to.equal('given-id-1');
  });

  it('leaves a body of another type to the handler as a stream', async () => {
    const { text: body } = await call('bytes', {
      method: 'POST',
      headers: { 'content-type': 'application/x-own' },
      body: 'raw',
    });
    expect(JSON.parse(body)).to.deep.equal({ got: 'raw', body: 'unparsed' });
  });

  it('routes any method word, and says which are allowed', async () => {
    const search = await call('only-search/1', {
      method: 'SEARCH',
      headers: { 'content-type': 'application/json' },
      body: '{"q":1}',
    });
    expect(JSON.parse(search.text)).to.deep.include({ method: 'SEARCH', body: { q: 1 } });
    const refused = await call('object', { method: 'PATCH' });
    expect([refused.status, refused.headers.get('allow')]).to.deep.equal([405, 'HEAD, GET, POST']);
    expect((await call('nowhere')).status).to.equal(404);
    expect((await call('object', { headers: { 'x-http-method-override': 'PATCH' } })).status).to.equal(200);
  });

  it('gives every answer the security headers, and HSTS behind TLS', async () => {
    for (const path of ['object', 'broken', 'nowhere']) {
      const { headers } = await call(path);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-security-policy')).to.include("default-src 'none'");
      expect(headers.get('strict-transport-security')).to.match(/max-age=\d+/);
      expect(headers.get('cache-control')).to.equal('no-store');
    }
  });

  it('lets listed origins call, without credentials, and no others', async () => {
    const listed = await call('object', { headers: { origin: 'https://page.example' } });
    expect(listed.headers.get('access-control-allow-origin')).to.equal('https://page.example');
    expect(listed.headers.get('access-control-allow-credentials')).to.equal(null);
    const other = await call('object', { headers: { origin: 'https://other.example' } });
    expect(other.headers.get('access-control-allow-origin')).to.equal(null);
    const preflight = await call('object', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'auth-token',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).to.deep.equal([
      204,
      'auth-token',
    ]);
  });
});
