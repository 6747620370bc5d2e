import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { basic, demo, signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';

/** A front as small as can be: forwards by prefix, keeps the headers as they are. */
function createFrontProxy(targets: () => Readonly<Record<string, string>>): Server {
  return createServer((req, res) => {
    const prefix = Object.keys(targets()).find((one) => req.url!.startsWith(one)) ?? '/auth';
    const target = new URL(targets()[prefix]!);
    const onward = request(
      { host: target.hostname, port: target.port, path: req.url, method: req.method, headers: req.headers },
      (answer) => {
        res.writeHead(answer.statusCode!, answer.rawHeaders);
        answer.pipe(res);
      },
    );
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
}

describe('three processes on one folder, behind a front', () => {
  let front: Server;
  let url: string;
  const parts: Partial<Record<'rest' | 'auth' | 'registry', RunningPortico>> = {};
  const through = {
    fetch: (path: string, init?: RequestInit) => fetch(`${url}${path}`, { redirect: 'manual', ...init }),
  };

  before(async () => {
    front = createFrontProxy(() => ({
      '/rest': parts.rest!.url,
      '/registry-ajax-api': parts.registry!.url,
      '/auth': parts.auth!.url,
      '/oauth2': parts.auth!.url,
    }));
    await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    const rest = await startPortico({ role: 'rest', env: { PUBLIC_URL: url } });
    parts.rest = rest;
    const env = { PUBLIC_URL: url, REST_INTERNAL_URL: rest.url };
    [parts.auth, parts.registry] = await Promise.all([
      startPortico({ role: 'auth', data: rest.data, env }),
      startPortico({ role: 'registry', data: rest.data, env }),
    ]);
  });
  after(async () => {
    await Promise.all([parts.auth?.stop(), parts.registry?.stop()]);
    await parts.rest?.stop();
    front.close();
  });

  it('signs in at one, calls at the second with the cookie, reaches the third', async () => {
    const cookie = await signIn(through);
    const answer = await through.fetch('/registry-ajax-api/rest/echo-token', { headers: { cookie } });
    expect(answer.status, await answer.clone().text()).to.equal(200);
    expect(await answer.json()).to.include({ user: 'ext@system' });
  });

  it('takes at /rest the access token that the other process issued', async () => {
    const cookie = await signIn(through);
    const granted = await through.fetch('/oauth2/grant?client_id=ext@system&response_type=code&state=1', {
      method: 'POST',
      headers: { cookie },
    });
    const code = new URL(granted.headers.get('location')!).searchParams.get('code')!;
    const exchanged = await through.fetch('/oauth2/token', {
      method: 'POST',
      headers: basic('ext@system', 'portico-demo'),
      body: new URLSearchParams({ grant_type: 'authorization_code', code }),
    });
    const { access_token } = (await exchanged.json()) as { access_token: string };
    const answer = await through.fetch('/rest/echo-oauth', {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(answer.status).to.equal(200);
  });

  it('ends everywhere within a second what was ended in one', async () => {
    const cookie = await signIn(through);
    const token = await (await through.fetch('/rest/token', { headers: demo })).text();
    const call = async () => (await through.fetch('/rest/echo-token', { headers: { 'auth-token': token } })).status;
    expect(await call()).to.equal(200);
    await through.fetch('/auth/sign-out', { method: 'POST', headers: { cookie } });
    expect((await through.fetch('/registry-ajax-api/rest/echo-token', { headers: { cookie } })).status).to.equal(401);
    const ended = await parts.rest!.cli('token', 'revoke', 'demo@local', '--yes');
    expect(ended.code, ended.err).to.equal(0);
    const deadline = Date.now() + 1000;
    while ((await call()) === 200 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await call()).to.equal(403);
  });

  it('holds a changed password and a disabled account in every process within a second', async () => {
    const added = await parts.rest!.cliWith('first-password-1\n', 'user', 'add', 'brief@local');
    expect(added.code, added.err).to.equal(0);
    const call = async () =>
      (await through.fetch('/rest/simple', { headers: basic('brief@local', 'first-password-1') })).status;
    expect(await call()).to.equal(200);
    expect((await parts.rest!.cli('user', 'disable', 'brief@local')).code).to.equal(0);
    const deadline = Date.now() + 1000;
    while ((await call()) === 200 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await call()).to.equal(401);
  });
});
