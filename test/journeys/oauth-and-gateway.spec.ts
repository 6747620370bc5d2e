import { text as readAll } from 'node:stream/consumers';
import { expect } from 'chai';
import { openSocket } from '../support/open-socket.ts';
import { basic, signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';

const client = basic('ext@system', 'portico-demo');
const query = 'client_id=ext@system&response_type=code&state=123';

describe('session login, OAuth 2.0 and the proxy client', () => {
  let portico: RunningPortico;
  let cookie: string;
  before(async () => {
    portico = await startPortico();
    cookie = await signIn(portico);
  });
  after(() => portico.stop());

  const grant = (headers: Record<string, string> = { cookie }) =>
    portico.fetch(`/oauth2/grant?${query}`, { method: 'POST', headers });
  const exchange = (code: string, headers: Record<string, string> = client) =>
    portico.fetch('/oauth2/token', {
      method: 'POST',
      headers,
      body: new URLSearchParams({ grant_type: 'authorization_code', code }),
    });

  /** As curl sends a POST without data: neither body nor length. */
  const bareSignOut = (own: string) => {
    const socket = openSocket(portico.url);
    socket.write(`POST /auth/sign-out HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${own}\r\nConnection: close\r\n\r\n`);
    return readAll(socket);
  };

  it('POST {base_url}/auth sets a session cookie', async () => {
    const response = await portico.fetch('/auth', {
      method: 'POST',
      body: new URLSearchParams({ username: 'demo@local', password: 'portico-demo' }),
    });
    expect(response.status).to.equal(302);
    expect(response.headers.getSetCookie()).to.have.length(1);
    expect(response.headers.getSetCookie()[0])
      .to.match(/HttpOnly/i)
      .and.match(/SameSite=Lax/i);
    const refused = await portico.fetch('/auth', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ username: 'demo@local', password: 'wrong' }),
    });
    expect(refused.status).to.equal(401);
    expect(refused.headers.getSetCookie()).to.deep.equal([]);
  });

  it('goes from the session to a code, from the code to an access token, from the token to echo-oauth', async () => {
    const granted = await grant();
    expect([302, 303]).to.include(granted.status);
    const back = new URL(granted.headers.get('location')!);
    expect(back.searchParams.get('state')).to.equal('123');
    const exchanged = await exchange(back.searchParams.get('code')!);
    expect(exchanged.status).to.equal(200);
    const { access_token, token_type } = (await exchanged.json()) as { access_token: string; token_type: string };
    expect(token_type).to.equal('Bearer');
    const answer = await portico.fetch('/rest/echo-oauth', {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(answer.status).to.equal(200);
    expect(await answer.json()).to.include({ user: 'demo@local' });
  });

  it('requires the bearer token in mode oauth', async () => {
    const missing = await portico.fetch('/rest/echo-oauth', { method: 'POST' });
    expect(missing.status).to.equal(401);
    expect(missing.headers.get('www-authenticate')).to.match(/^Bearer/);
    const wrong = await portico.fetch('/rest/echo-oauth', {
      method: 'POST',
      headers: { authorization: 'Bearer nonsense' },
    });
    expect(wrong.status).to.equal(401);
    expect(wrong.headers.get('www-authenticate')).to.include('error="invalid_token"');
  });

  it("grants nothing without a session, and no token without the client's secret", async () => {
    const away = await grant({});
    expect(away.status).to.equal(302);
    expect(away.headers.get('location')).to.match(/\/auth\?/);
    const code = new URL((await grant()).headers.get('location')!).searchParams.get('code')!;
    const refused = await exchange(code, basic('ext@system', 'wrong'));
    expect(refused.status).to.equal(401);
  });

  it('forwards a call with the session cookie alone and shows no token', async () => {
    for (const method of ['GET', 'POST']) {
      const answer = await portico.fetch('/registry-ajax-api/rest/echo-token', { method, headers: { cookie } });
      const text = await answer.text();
      expect(answer.status, text).to.equal(200);
      expect(JSON.parse(text).user).to.equal('ext@system');
      expect(text + JSON.stringify([...answer.headers])).to.not.match(/\b[a-z0-9]{40}\b/);
    }
    const list = await portico.fetch('/registry-ajax-api/rest/string-list', { method: 'POST', headers: { cookie } });
    expect(list.status).to.equal(200);
  });

  it('forwards only the paths and methods that its definition declares', async () => {
    expect((await portico.fetch('/registry-ajax-api/rest/simple', { headers: { cookie } })).status).to.equal(404);
    expect((await portico.fetch('/registry-ajax-api/rest/string-list', { headers: { cookie } })).status).to.equal(405);
    expect(
      (await portico.fetch('/registry-ajax-api/rest/echo-token', { method: 'DELETE', headers: { cookie } })).status,
    ).to.equal(405);
  });

  it('needs the session, and refuses a write from another site', async () => {
    const nobody = await portico.fetch('/registry-ajax-api/rest/echo-token');
    expect(nobody.status).to.equal(401);
    expect(nobody.headers.get('content-type')).to.match(/json/);
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as Record<
      string,
      string
    >[]) {
      const answer = await portico.fetch('/registry-ajax-api/rest/echo-token', {
        method: 'POST',
        headers: { cookie, ...headers },
      });
      expect(answer.status).to.equal(403);
    }
  });

  it('ends the session at sign-out, for the gateway too', async () => {
    const own = await signIn(portico, 'editor@local');
    expect((await portico.fetch('/registry-ajax-api/rest/echo-token', { headers: { cookie: own } })).status).to.equal(
      200,
    );
    expect(await bareSignOut(own)).to.match(/^HTTP\/1\.1 302/);
    expect((await portico.fetch('/registry-ajax-api/rest/echo-token', { headers: { cookie: own } })).status).to.equal(
      401,
    );
  });
});
