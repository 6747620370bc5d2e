import { expect } from 'chai';
import { session, startGateway, startUpstream, type Listening, type Seen } from './spec-support.ts';

const other = { 'content-type': 'application/json' };

describe('the gateway', () => {
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let gateway: Listening;
  let inner: Listening | undefined;
  let answer: Parameters<typeof startUpstream>[0];

  const call = (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}/gw${path}`, { redirect: 'manual', ...init, headers: { ...session, ...headers } });

  beforeEach(async () => {
    answer = (_req, res, seen) => void res.writeHead(200, other).end(JSON.stringify(seen));
    upstream = await startUpstream((req, res, seen) => answer?.(req, res, seen));
    gateway = await startGateway({ restUrl: upstream.url });
  });
  afterEach(async () => {
    await inner?.close();
    inner = undefined;
    await gateway.close();
    await upstream.close();
  });

  it('forwards method, path, query and body, with the token, the request id and the identity', async () => {
    const path = '/rest/crud/author%40demo/a%20b?filter=a%2Fb&x=//y?z&u=http:/h';
    const got = await call(
      path,
      {},
      { 'x-request-id': 'abcdefgh-1', 'x-forwarded-user': 'admin@local', accept: 'a/b' },
    );
    expect(got.status).to.equal(200);
    const seen = (await got.json()) as Seen;
    expect(seen.method).to.equal('GET');
    expect(seen.url).to.equal(path);
    expect(seen.headers['auth-token']).to.match(/^t+0001$/);
    expect(seen.headers['x-request-id']).to.equal('abcdefgh-1');
    expect(seen.headers['x-forwarded-user']).to.equal('demo@local');
    expect(seen.headers['accept']).to.equal('a/b');
    expect(seen.headers['host']).to.equal(`127.0.0.1:${upstream.port}`);

    const posted = await call('/rest/echo-token', { method: 'POST', body: '{"a":1}' }, other);
    const sent = (await posted.json()) as Seen;
    expect([sent.method, sent.body, sent.headers['content-type']]).to.deep.equal([
      'POST',
      '{"a":1}',
      'application/json',
    ]);
  });

  it('sends a path segment that looks like an address as it is', async () => {
    const seen = (await (await call('/rest/crud/http:/1')).json()) as Seen;
    expect(seen.url).to.equal('/rest/crud/http:/1');
  });

  it('keeps cookies, credentials and forwarding headers from the service behind, and its cookies from the caller', async () => {
    answer = (_req, res, seen) =>
      void res.writeHead(200, { 'set-cookie': ['a=b', 'c=d'], 'x-own': '1' }).end(JSON.stringify(seen));
    const got = await call('/rest/echo-token', {}, { authorization: 'Basic eA==', 'auth-user': 'x', 'auth-pwd': 'y', 'x-forwarded-for': '1.2.3.4', forwarded: 'for=x', 'x-real-ip': '1', 'x-http-method-override': 'DELETE' }); // prettier-ignore
    const { headers, method } = (await got.json()) as Seen;
    expect(method).to.equal('GET');
    const gone = ['cookie', 'authorization', 'auth-user', 'auth-pwd', 'x-forwarded-for', 'forwarded', 'x-real-ip', 'x-http-method-override']; // prettier-ignore
    expect(headers).to.not.have.any.keys(...gone);
    expect(got.headers.get('x-own')).to.equal('1');
    expect(got.headers.getSetCookie()).to.deep.equal([]);
  });

  it('gives no token to the caller', async () => {
    answer = (_req, res) => void res.end('ok');
    const got = await call('/rest/echo-token');
    expect(JSON.stringify([...got.headers]) + (await got.text())).to.not.match(/t{36}/);
  });

  it('answers 401 as JSON without a session, before anything is sent', async () => {
    for (const method of ['GET', 'POST']) {
      const got = await call('/rest/echo-token', { method }, { cookie: 'session=forged' });
      expect(got.status).to.equal(401);
      expect(got.headers.get('content-type')).to.equal('application/problem+json');
      expect(got.headers.get('www-authenticate')).to.equal(null);
      expect(await got.json()).to.include({
        type: 'about:blank',
        status: 401,
        instance: got.headers.get('x-request-id'),
      });
    }
    expect([upstream.seen.length, upstream.tokens.issued]).to.deep.equal([0, 0]);
  });

  it('refuses a cross-site write with 403, lets a cross-site read pass', async () => {
    const foreign = { origin: 'http://evil.example' };
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await call('/rest/echo-token', { method }, foreign)).status).to.equal(403);
    expect([upstream.seen.length, upstream.tokens.issued]).to.deep.equal([0, 0]);
    expect((await call('/rest/echo-token', {}, foreign)).status).to.equal(200);
  });

  it('answers 404 and 405 for what is not listed, without touching the service behind', async () => {
    expect((await call('/rest/simple')).status).to.equal(404);
    expect((await call('')).status).to.equal(404);
    const got = await call('/rest/echo-token', { method: 'PATCH' });
    expect([got.status, got.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, POST, PUT, DELETE']);
    expect(await got.json()).to.include({ status: 405 });
    expect([upstream.seen.length, upstream.tokens.issued]).to.deep.equal([0, 0]);
  });

  it('leaves addresses outside its base to others', async () => {
    expect(await (await fetch(`${gateway.url}/gwx`, { headers: session })).text()).to.equal('next');
  });

  it('sends status, headers and an empty body on: HEAD, 204, 304', async () => {
    answer = (req, res) => {
      if (req.method === 'HEAD') res.writeHead(200, { 'content-length': '12', etag: '"1"' }).end();
      else res.writeHead(req.method === 'DELETE' ? 204 : 304, { etag: '"1"' }).end();
    };
    const head = await call('/rest/echo-token', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).to.deep.equal([
      200,
      '12',
      '"1"',
    ]);
    expect((await call('/rest/echo-token', { method: 'DELETE' })).status).to.equal(204);
    expect((await call('/rest/echo-token', {}, { 'if-none-match': '"1"' })).status).to.equal(304);
  });

  it('calls below the path of its endPoint, and shows a Location there as its own', async () => {
    inner = await startGateway({ endPoint: `${upstream.url}/rest/stream` });
    answer = (req, res) => {
      if (req.url === '/rest/stream/rest/token') res.end('inner-token');
      else res.writeHead(201, { location: `${upstream.url}${req.url}/1`, 'x-url': req.url }).end();
    };
    const got = await fetch(`${inner.url}/gw/rest/echo-token?a`, { headers: session });
    expect([got.status, got.headers.get('x-url')]).to.deep.equal([201, '/rest/stream/rest/echo-token?a']);
    expect(got.headers.get('location')).to.equal('/gw/rest/echo-token?a/1');
  });

  it('uses one token for parallel calls, and one more when it went stale', async () => {
    const twenty = () => Promise.all(Array.from({ length: 20 }, () => call('/rest/echo-token')));
    expect((await twenty()).every((one) => one.ok)).to.equal(true);
    expect(upstream.tokens.issued).to.equal(1);
    upstream.live.clear();
    expect((await twenty()).every((one) => one.ok)).to.equal(true);
    expect(upstream.tokens.issued).to.equal(2);
  });

  it('sends a refusal that a new token does not change on, after one repetition', async () => {
    answer = (_req, res) => void res.writeHead(403).end('no right');
    const got = await call('/rest/echo-token', { method: 'DELETE' });
    expect([got.status, await got.text()]).to.deep.equal([403, 'no right']);
    expect([upstream.seen.length, upstream.tokens.issued]).to.deep.equal([2, 2]);
  });

  it('does not repeat a request with a body, but takes a new token for the next', async () => {
    await call('/rest/echo-token');
    upstream.live.clear();
    expect((await call('/rest/echo-token', { method: 'POST', body: 'x' })).status).to.equal(403);
    expect(upstream.seen.length).to.equal(2);
    expect((await call('/rest/echo-token', { method: 'POST', body: 'x' })).status).to.equal(200);
    expect([upstream.seen.length, upstream.tokens.issued]).to.deep.equal([3, 2]);
  });

  it('answers 502 when its client gets no token', async () => {
    upstream.tokens.status = 401;
    const got = await call('/rest/echo-token');
    expect(got.status).to.equal(502);
    expect(await got.text()).to.not.match(/token|ext@system|s3cret|401/);
    expect(upstream.seen.length).to.equal(0);
  });
});
