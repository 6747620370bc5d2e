import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { raw, session, startGateway, startUpstream, statuses, type Listening, type Seen } from './spec-support.ts';

/** A request's head; the connection ends after it unless a line says otherwise. */
function head(...lines: readonly string[]): string {
  const closing = lines.some((line) => line.startsWith('Connection:')) ? [] : ['Connection: close'];
  return [...lines, ...closing, 'Host: portico', `Cookie: ${session.cookie}`, '', ''].join('\r\n');
}

describe('the gateway on the wire', () => {
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let gateway: Listening;

  before(async () => {
    upstream = await startUpstream();
    gateway = await startGateway({ restUrl: upstream.url });
  });
  beforeEach(() => upstream.seen.splice(0));
  after(async () => {
    await gateway.close();
    await upstream.close();
  });

  const targets = [
    'http://evil.example/gw/rest/echo-token',
    'http://portico/gw/rest/echo-token',
    '/gw/../rest/echo-token',
    '/gw/rest/../rest/echo-token',
    '/gw/rest/%2e%2e/rest/echo-token',
    '/gw/rest%2fecho-token',
    '/gw/rest%5cecho-token',
    '/gw/rest\\echo-token',
    '/gw/rest//echo-token',
    '/gw//rest/echo-token',
    '/gw/rest/echo-token;a=b',
    '/gw/rest/%65cho-token',
    '/gw/rest/echo-token#?x',
    '/gw/rest/echo-token?x#y',
    '/gw@evil.example/rest/echo-token',
    '/gw/@evil.example/rest/echo-token',
  ];
  for (const target of targets)
    it(`refuses the target ${target}`, async () => {
      const [status] = statuses(await raw(gateway.port, head(`GET ${target} HTTP/1.1`)));
      // `/gw@…` and `/gw\…` are not below the base: the app's next middleware has them
      if (target.startsWith('/gw/') || target.startsWith('http:')) expect([400, 404]).to.include(status);
      expect(upstream.seen).to.deep.equal([]);
    });

  const smuggled = 'GET /gw/rest/echo-token HTTP/1.1\r\n';
  const shapes = {
    'Content-Length and Transfer-Encoding': head('POST /gw/rest/echo-token HTTP/1.1', 'Content-Length: 4', 'Transfer-Encoding: chunked') + `0\r\n\r\n${smuggled}`,
    'two Content-Length': head('POST /gw/rest/echo-token HTTP/1.1', 'Content-Length: 4', 'Content-Length: 5') + 'abcde',
    'a list as Content-Length': head('POST /gw/rest/echo-token HTTP/1.1', 'Content-Length: 4, 4') + 'abcd',
    'a folded header': head('GET /gw/rest/echo-token HTTP/1.1', 'X-A: b', ' folded: c'),
    'a folded Transfer-Encoding': head('POST /gw/rest/echo-token HTTP/1.1', 'Transfer-Encoding:', ' chunked') + '0\r\n\r\n',
    'a space before the colon': head('POST /gw/rest/echo-token HTTP/1.1', 'Transfer-Encoding : chunked') + '0\r\n\r\n',
    'an unknown coding': head('POST /gw/rest/echo-token HTTP/1.1', 'Transfer-Encoding: xchunked') + '0\r\n\r\n',
    'a further coding': head('POST /gw/rest/echo-token HTTP/1.1', 'Transfer-Encoding: gzip, chunked') + '0\r\n\r\n',
    'a bare line feed': `GET /gw/rest/echo-token HTTP/1.1\nHost: x\nCookie: ${session.cookie}\n\n`,
    'a faulty chunk size': head('POST /gw/rest/echo-token HTTP/1.1', 'Transfer-Encoding: chunked') + 'x\r\n\r\n',
  }; // prettier-ignore
  for (const [name, bytes] of Object.entries(shapes))
    it(`ends ${name} in 400`, async () => {
      const received = await raw(gateway.port, bytes);
      expect(statuses(received)[0], received).to.equal(400);
      expect(upstream.seen.length).to.equal(0);
    });

  it('refuses an upgrade', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const lines = ['GET /gw/rest/echo-token HTTP/1.1', 'Connection: Upgrade, close', `Upgrade: ${protocol}`];
      expect(statuses(await raw(gateway.port, head(...lines)))).to.deep.equal([400]);
    }
    expect(upstream.seen).to.deep.equal([]);
  });

  it('drops what Connection names, and cannot be talked out of its own headers', async () => {
    const named = 'Connection: x-secret, auth-token, content-length, x-forwarded-user, close';
    await raw(
      gateway.port,
      head('POST /gw/rest/echo-token HTTP/1.1', named, 'X-Secret: 1', 'Content-Length: 3') + 'abc',
    );
    expect(upstream.seen.map(({ body }) => body)).to.deep.equal(['abc']);
    const { headers } = upstream.seen[0] as Seen;
    expect(headers).to.include({ 'x-forwarded-user': 'demo@local', 'content-length': '3' });
    expect(headers['auth-token']).to.match(/^t+/);
    expect(headers).to.not.have.any.keys('x-secret');
    expect(headers.connection).to.equal('keep-alive');
  });

  // http-proxy alone sends a chunked DELETE with `content-length: 0`: its body would be the next request
  for (const method of ['DELETE', 'GET', 'POST'])
    it(`does not let the chunked body of a ${method} poison the pooled connection`, async () => {
      const inner = 'DELETE /rest/crud/victim/1 HTTP/1.1\r\nHost: x\r\n\r\n';
      const body = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
      await raw(gateway.port, head(`${method} /gw/rest/echo-token HTTP/1.1`, 'Transfer-Encoding: chunked') + body);
      await raw(gateway.port, head('GET /gw/rest/crud/a/1 HTTP/1.1'));
      expect(upstream.seen.map((one) => [one.method, one.url, one.body])).to.deep.equal([
        [method, '/rest/echo-token', inner],
        ['GET', '/rest/crud/a/1', ''],
      ]);
    });

  it('keeps the order of pipelined requests', async () => {
    const received = await raw(
      gateway.port,
      head('GET /gw/rest/crud/a/1 HTTP/1.1', 'Connection: keep-alive') + head('GET /gw/rest/crud/b/2 HTTP/1.1'),
    );
    expect(Array.from(received.matchAll(/"url":"(.*?)"/g), ([, url]) => url)).to.deep.equal(['/rest/crud/a/1', '/rest/crud/b/2']); // prettier-ignore
  });

  it('answers HTTP/1.0 without chunks', async () => {
    const received = await raw(gateway.port, head('GET /gw/rest/echo-token HTTP/1.0'));
    expect(received)
      .to.match(/^HTTP\/1\.1 200 /)
      .and.not.match(/transfer-encoding/i);
  });
});

describe('an answer on the wire', () => {
  /** A service behind that writes its bytes as they are. */
  async function answering(bytes: string): Promise<string> {
    const upstream = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => {
        socket.end(
          String(data).includes('/rest/token') ? 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\ntoken123' : bytes,
        );
      });
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const { port } = upstream.address() as AddressInfo;
    const gateway = await startGateway({ restUrl: `http://127.0.0.1:${port}`, timeoutMs: 500 });
    try {
      return await raw(gateway.port, head('GET /gw/rest/echo-token HTTP/1.1', 'Connection: x-mine, close'), 1500);
    } finally {
      await gateway.close();
      upstream.close();
    }
  }

  it("loses what Connection names, and does not repeat the caller's Connection", async () => {
    const received = await answering('HTTP/1.1 200 OK\r\nConnection: close, x-inner\r\nX-Inner: 1\r\nSet-Cookie: a=b\r\nX-Outer: 2\r\nContent-Length: 2\r\n\r\nok'); // prettier-ignore
    expect(received)
      .to.match(/x-outer: 2/i)
      .and.match(/Connection: close/)
      .and.match(/ok$/);
    expect(received).to.not.match(/x-inner|set-cookie|x-mine/i);
  });

  for (const [name, bytes] of Object.entries({
    'that is not HTTP': 'hello\r\n\r\n',
    'with an upgrade': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'with two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc',
    'with length and chunks': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'with a status of 99': 'HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\nok',
    'that is empty': '',
  }))
    it(`${name} becomes 502`, async () => {
      const received = await answering(bytes);
      expect(statuses(received), received).to.deep.equal([502]);
    });
});
