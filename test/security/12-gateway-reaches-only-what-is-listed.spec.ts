import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';
import { writeApplication } from '../support/write-application.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

const base = '/registry-ajax-api';

describe('12. The gateway reaches only listed method + path on the configured host', () => {
  let portico: RunningPortico;
  let application: Awaited<ReturnType<typeof writeApplication>>;
  let upstream: Server;
  let cookie: string;
  /** What reached the service behind, but for the fetching of tokens. */
  const seen: Seen[] = [];

  before(async () => {
    upstream = createServer((req, res) => {
      if (req.url === '/rest/token') return void res.end('t'.repeat(40));
      seen.push({ method: req.method!, url: req.url!, headers: req.headers });
      return void res.end('reached');
    });
    upstream.on('upgrade', (req, socket) => {
      seen.push({ method: 'UPGRADE', url: req.url!, headers: req.headers });
      socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const endPoint = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const paths = { '/rest/listed': { get: true, post: true }, '/rest/item/{id}': { get: true, delete: false } };
    const options = { base, clientId: 'ext@system', clientSecret: 'client-secret', endPoint, definition: { paths } };
    application = await writeApplication({
      'deploy.json': {
        namespace: 'gate',
        modules: { registry: { globals: { di: { gate: { module: 'modules/rest/client/GateWay', options } } } } },
      },
      'acl/users.yml': 'users:\n  - {id: kim, type: local, pwd: kims-password}\n',
    });
    portico = await startPortico({ application: application.folder });
    cookie = await signIn(portico, 'kim@local', 'kims-password');
  });
  after(async () => {
    await portico?.stop();
    await application?.remove();
    upstream.closeAllConnections();
    upstream.close();
  });
  beforeEach(() => void (seen.length = 0));

  const send = (line: string, headers: readonly string[] = [], body = '') =>
    sendRaw(portico.url, rawRequest(line, [`Cookie: ${cookie}`, ...headers], body));

  it('reaches what is listed', async () => {
    expect((await send(`GET ${base}/rest/listed?a=../../x&b=%2f HTTP/1.1`)).text).to.include('reached');
    expect((await send(`GET ${base}/rest/item/a@b HTTP/1.1`)).text).to.include('reached');
    expect(seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'GET /rest/listed?a=../../x&b=%2f',
      'GET /rest/item/a@b',
    ]);
  });

  const targets = [
    '/rest/other',
    '/rest',
    '/rest/listed/more',
    '/rest/listed/../other',
    '/rest/item/..',
    '/rest/item/../../admin',
    '/rest/item/./x',
    '/rest/item/%2e%2e',
    '/rest/item/%2E%2e/secret',
    '/rest/item/a%2fb',
    '/rest/item/a%2F..%2f..%2fadmin',
    '/rest/item/a%5cb',
    '/rest/item/..%5c..%5cadmin',
    '/rest/item/a\\b',
    '/rest/item/\\..\\..\\admin',
    '/rest//listed',
    '//rest/listed',
    '/rest/item//',
    '/rest/item/',
    '/rest/listed;jsessionid=1',
    '/rest/item/a;b',
    '/rest/item/%3b',
    '/rest/item/a%00b',
    '/rest/item/%0d%0aX-A:%20b',
    '/rest/item/%252e%252e',
    '/rest/item/%c0%ae%c0%ae',
    '/rest/item/%',
    '/rest/item/%zz',
    '/%72est/listed',
    '/rest/%6cisted',
    '/REST/listed',
    '/rest/Listed',
    '/rest/listed#x',
    '/rest/item/a#b',
    '/rest/item/{id}',
    '@evil.example/rest/listed',
    ':80@evil.example/rest/listed',
    '.evil.example/rest/listed',
    '/http://evil.example/rest/listed',
    '/rest/token',
  ];
  for (const target of targets)
    it(`GET <base>${target} fails`, async () => {
      const answer = await send(`GET ${base}${target} HTTP/1.1`);
      expect(answer.status).to.be.within(400, 405);
      expect(seen).to.deep.equal([]);
    });

  const lines: Readonly<Record<string, string>> = {
    'absolute form': `GET http://evil.example${base}/rest/listed HTTP/1.1`,
    'absolute form of this host': `GET {url}${base}/rest/listed HTTP/1.1`,
    'absolute form with another scheme': `GET file:///etc/passwd HTTP/1.1`,
    'two slashes first': `GET //evil.example${base}/rest/listed HTTP/1.1`,
    'dots before the base': `GET /x/..${base}/rest/listed HTTP/1.1`,
    'encoded base': `GET /registry%2dajax-api/rest/listed HTTP/1.1`,
    'encoded slash after the base': `GET ${base}%2frest/listed HTTP/1.1`,
    'backslash for a slash': `GET ${base}\\rest\\listed HTTP/1.1`,
    'a method that is not listed': `PUT ${base}/rest/listed HTTP/1.1`,
    'a method that is listed as false': `DELETE ${base}/rest/item/a HTTP/1.1`,
    TRACE: `TRACE ${base}/rest/listed HTTP/1.1`,
    OPTIONS: `OPTIONS ${base}/rest/listed HTTP/1.1`,
    'a method in lower case': `post ${base}/rest/listed HTTP/1.1`,
    CONNECT: `CONNECT evil.example:80 HTTP/1.1`,
  };
  for (const [name, line] of Object.entries(lines))
    it(`${name} fails`, async () => {
      const answer = await send(line.replace('{url}', portico.url));
      if (name === 'CONNECT') expect(answer).to.include({ text: '', closed: true });
      else expect(answer.status).to.be.within(400, 405);
      expect(seen).to.deep.equal([]);
    });

  it('method-override headers change nothing and are not sent on', async () => {
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'X_HTTP_Method_Override']) {
      expect((await send(`POST ${base}/rest/listed?_method=DELETE HTTP/1.1`, [`${name}: DELETE`])).status).to.equal(
        200,
      );
      expect((await send(`GET ${base}/rest/item/a HTTP/1.1`, [`${name}: DELETE`])).status).to.equal(200);
    }
    expect(new Set(seen.map(({ method }) => method))).to.deep.equal(new Set(['POST', 'GET']));
    expect(seen.flatMap(({ headers }) => Object.keys(headers)).join(' ')).to.not.match(/method/);
    expect((await send(`POST ${base}/rest/other HTTP/1.1`, ['X-Original-URL: /rest/listed'])).status).to.equal(404);
    expect((await send(`GET ${base}/rest/listed HTTP/1.1`, ['X-Rewrite-URL: /rest/other'])).status).to.equal(200);
    expect(seen.at(-1)!.url).to.equal('/rest/listed');
    expect(seen.at(-1)!.headers).to.not.have.property('x-rewrite-url');
  });

  it('the Host of a request says nothing about where it goes', async () => {
    expect((await send(`GET ${base}/rest/listed HTTP/1.1`, ['Host: evil.example'])).text).to.include('reached');
    expect(seen.at(-1)!.headers.host).to.match(/^127\.0\.0\.1:\d+$/);
  });

  it('upgraded connections fail', async () => {
    for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
      const upgrade = ['Connection: Upgrade', `Upgrade: ${protocol}`, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
      const answer = await send(`GET ${base}/rest/listed HTTP/1.1`, upgrade);
      expect(answer.status).to.equal(400);
    }
    expect(seen).to.deep.equal([]);
  });
});
