import { expect } from 'chai';
import { startAuth, redirectUri, type RunningAuth } from '../../../test/support/start-auth.ts';
import {
  allow,
  codeOf,
  ext,
  makePkce,
  signedIn,
  token,
  web,
  webTokens,
} from '../../../test/support/browser-session.ts';

describe('POST /oauth2/grant', () => {
  let auth: RunningAuth;
  let cookie: string;
  before(async () => {
    auth = await startAuth();
    cookie = await signedIn(auth);
  });
  after(() => auth.stop());

  it('gives a client without an oauth property a code at the local page, with state and iss, and a token for the code', async () => {
    const location = await allow(auth, cookie, { client_id: 'ext@system', state: '123' });
    expect(location.href.startsWith(`${auth.url}/oauth2/code?`)).to.equal(true);
    expect(location.searchParams.get('state')).to.equal('123');
    expect(location.searchParams.get('iss')).to.equal(auth.url);
    const { status, body } = await token(auth, ext, { grant_type: 'authorization_code', code: codeOf(location) });
    expect(status).to.equal(200);
    expect(body.scope).to.equal('self');
    const found = await auth.bearers.find(body.access_token);
    expect(found?.user.id).to.equal('demo@local');
    expect(found?.clientId).to.equal('ext@system');
  });

  it('needs no state', async () => {
    const location = await allow(auth, cookie, { client_id: 'ext@system' });
    expect(location.searchParams.has('state')).to.equal(false);
    codeOf(location);
  });

  it('leads to sign-in and back, by GET and by POST, without a session', async () => {
    for (const method of ['GET', 'POST']) {
      const answer = await auth.fetch('/oauth2/grant?client_id=ext@system&response_type=code&state=1', { method });
      expect(answer.status).to.equal(302);
      const location = new URL(answer.headers.get('location')!, auth.url);
      expect(location.pathname).to.equal('/auth');
      const back = new URL(location.searchParams.get('continue')!, auth.url);
      expect(back.pathname).to.equal('/oauth2/grant');
      expect(Object.fromEntries(back.searchParams)).to.deep.equal({
        client_id: 'ext@system',
        response_type: 'code',
        state: '1',
      });
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
    }
  });

  it('shows the consent page at its own address, every time', async () => {
    const path = '/oauth2/grant?client_id=ext@system&response_type=code&state=1';
    for (let round = 0; round < 2; round += 1) {
      const answer = await auth.fetch(path, { headers: { cookie } });
      const text = await answer.text();
      expect(answer.status).to.equal(200);
      expect(text).to.include('Ext Reporting').and.include('demo@local').and.include('/oauth2/code');
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
      expect(answer.headers.get('content-security-policy')).to.include(`form-action 'self' ${auth.url};`);
      await allow(auth, cookie, { client_id: 'ext@system' });
    }
  });

  it('redirects a no with access_denied', async () => {
    const answer = await auth.fetch('/oauth2/grant?client_id=ext@system&response_type=code&state=7', {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ answer: 'deny' }),
    });
    const location = new URL(answer.headers.get('location')!);
    expect(location.searchParams.get('error')).to.equal('access_denied');
    expect(location.searchParams.get('state')).to.equal('7');
    expect(location.searchParams.has('code')).to.equal(false);
  });

  it('refuses an answer that is neither allow nor deny', async () => {
    const answer = await auth.fetch('/oauth2/grant?client_id=ext@system&response_type=code', {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ answer: 'perhaps' }),
    });
    expect(answer.status).to.equal(400);
  });

  it('answers prompt=none with consent_required, or login_required without a session', async () => {
    const path = '/oauth2/grant?client_id=ext@system&response_type=code&prompt=none';
    const signed = await auth.fetch(path, { headers: { cookie } });
    expect(new URL(signed.headers.get('location')!).searchParams.get('error')).to.equal('consent_required');
    const unsigned = await auth.fetch(path);
    expect(new URL(unsigned.headers.get('location')!).searchParams.get('error')).to.equal('login_required');
  });

  it('asks to sign in anew for prompt=login, once', async () => {
    const query = 'client_id=ext@system&response_type=code&prompt=login';
    await new Promise((done) => setTimeout(done, 1100)); // the session from before is older than the question
    const first = await auth.fetch(`/oauth2/grant?${query}`, { headers: { cookie } });
    const toSignIn = new URL(first.headers.get('location')!, auth.url);
    expect(toSignIn.pathname).to.equal('/auth');
    const back = toSignIn.searchParams.get('continue')!;
    const old = await auth.fetch(back, { headers: { cookie } });
    expect(old.status).to.equal(302);
    const fresh = await signedIn(auth);
    expect((await auth.fetch(back, { headers: { cookie: fresh } })).status).to.equal(200);
    const forged = back.replace(/asked=\d+/, 'asked=1');
    expect((await auth.fetch(forged, { headers: { cookie } })).status).to.equal(302);
    cookie = await signedIn(auth);
  });

  it('shows a page and redirects nowhere for an unknown client, without one, or without response_type', async () => {
    for (const query of [
      'client_id=nobody@system&response_type=code',
      'response_type=code',
      'client_id=demo@local&response_type=code',
    ]) {
      for (const method of ['GET', 'POST']) {
        const answer = await auth.fetch(`/oauth2/grant?${query}`, { method, headers: { cookie } });
        expect(answer.status, query).to.be.within(400, 499);
        expect(answer.headers.get('location')).to.equal(null);
        expect(answer.headers.get('content-type')).to.match(/^text\/html/);
      }
    }
  });

  it('needs a redirect_uri from a client that has several', async () => {
    const pkce = makePkce();
    const query = new URLSearchParams({ client_id: 'two@system', response_type: 'code', ...pkce.query });
    const answer = await auth.fetch(`/oauth2/grant?${query.toString()}`, { method: 'POST', headers: { cookie } });
    expect(answer.status).to.equal(400);
    expect(answer.headers.get('location')).to.equal(null);
    codeOf(await allow(auth, cookie, { client_id: 'two@system', ...pkce.query, redirect_uri: `${redirectUri}2` }));
  });

  it('refuses scopes that nobody knows, and gives single services', async () => {
    const unknown = await allow(auth, cookie, { client_id: 'ext@system', scope: 'svc:nothing' });
    expect(unknown.searchParams.get('error')).to.equal('invalid_scope');
    const { body } = await webTokens(auth, cookie, { scope: 'svc:echo' });
    expect(body.scope).to.equal('svc:echo');
  });

  it('takes a bare client id for one of the type system', async () => {
    const location = await allow(auth, cookie, { client_id: 'ext' });
    const { status, body } = await token(auth, ['ext', 'ext-secret'], {
      grant_type: 'authorization_code',
      code: codeOf(location),
    });
    expect(status, JSON.stringify(body)).to.equal(200);
  });

  it('takes the client secret in the body too, and an escaped id', async () => {
    const code = codeOf(await allow(auth, cookie, { client_id: 'ext@system' }));
    const form = { grant_type: 'authorization_code', code, client_id: 'ext@system', client_secret: 'ext-secret' };
    expect((await auth.fetch('/oauth2/token', { method: 'POST', body: new URLSearchParams(form) })).status).to.equal(
      200,
    );
    const again = codeOf(await allow(auth, cookie, { client_id: 'ext@system' }));
    const escaped = await token(auth, ['ext%40system', 'ext-secret'], {
      grant_type: 'authorization_code',
      code: again,
    });
    expect(escaped.status).to.equal(200);
  });

  it('wants redirect_uri at the token endpoint only when the grant was asked with it', async () => {
    const pkce = makePkce();
    const query = { client_id: 'web@system', ...pkce.query, redirect_uri: redirectUri };
    const form = { grant_type: 'authorization_code', code_verifier: pkce.verifier };
    const code = codeOf(await allow(auth, cookie, query));
    const without = await token(auth, web, { ...form, code });
    expect(without.status).to.equal(400);
    expect(without.body.error).to.equal('invalid_request');
    expect((await token(auth, web, { ...form, code, redirect_uri: `${redirectUri}x` })).status).to.equal(400);
    expect((await token(auth, web, { ...form, code, redirect_uri: redirectUri })).status).to.equal(200);
  });

  it('gives a legacy client no refresh token, and others one', async () => {
    const code = codeOf(await allow(auth, cookie, { client_id: 'ext@system' }));
    expect((await token(auth, ext, { grant_type: 'authorization_code', code })).body.refresh_token).to.equal(undefined);
    expect((await webTokens(auth, cookie)).body.refresh_token).to.be.a('string');
  });
});
