import { expect } from 'chai';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { redirectUri, startAuth, type RunningAuth } from '../../../test/support/start-auth.ts';
import { basicOf, refresh, signedIn, token, web, webTokens } from '../../../test/support/browser-session.ts';

describe('OAuth 2.0 and OpenID Connect by the standards', () => {
  let auth: RunningAuth;
  let cookie: string;
  before(async () => {
    auth = await startAuth();
    cookie = await signedIn(auth);
  });
  after(() => auth.stop());

  const post = (url: URL) => fetch(url, { method: 'POST', redirect: 'manual', headers: { cookie } });

  it('serves openid-client: discovery, PKCE, ID token, userinfo, introspection, refresh, revocation', async () => {
    const config = await client.discovery(new URL(auth.url), web[0], undefined, client.ClientSecretBasic(web[1]), {
      execute: [client.allowInsecureRequests],
    });
    const verifier = client.randomPKCECodeVerifier();
    const asked = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile offline_access self',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: 'st',
      nonce: 'nn',
    });
    const back = new URL((await post(asked)).headers.get('location')!);
    const tokens = await client.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: 'st',
      expectedNonce: 'nn',
    });
    expect(tokens.claims()?.sub).to.equal('demo@local');
    expect(tokens.scope).to.equal('openid profile offline_access self');
    expect(await client.fetchUserInfo(config, tokens.access_token, 'demo@local')).to.include({
      sub: 'demo@local',
      name: 'Demo',
    });
    const next = await client.refreshTokenGrant(config, tokens.refresh_token!);
    expect(next.claims()?.sub).to.equal('demo@local');
    const told = await client.tokenIntrospection(config, next.access_token);
    expect(told).to.include({ active: true, sub: 'demo@local', client_id: web[0], iss: auth.url });
    await client.tokenRevocation(config, next.refresh_token!);
    expect((await client.tokenIntrospection(config, next.access_token)).active).to.equal(false);
    expect(await auth.bearers.find(tokens.access_token)).to.equal(undefined);
  });

  it('serves oauth4webapi, with iss in the answer', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    for (const algorithm of ['oidc', 'oauth2'] as const) {
      const issuer = new URL(auth.url);
      const server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { algorithm, ...insecure }),
      );
      const verifier = oauth.generateRandomCodeVerifier();
      const asked = new URL(server.authorization_endpoint!);
      asked.search = new URLSearchParams({
        client_id: web[0],
        response_type: 'code',
        redirect_uri: redirectUri,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: 's',
      }).toString();
      const me = { client_id: web[0] };
      const params = oauth.validateAuthResponse(server, me, new URL((await post(asked)).headers.get('location')!), 's');
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        me,
        oauth.ClientSecretBasic(web[1]),
        params,
        redirectUri,
        verifier,
        insecure,
      );
      expect((await oauth.processAuthorizationCodeResponse(server, me, answer)).scope).to.equal('self');
    }
  });

  it("client credentials act as the client's own account", async () => {
    const night = ['night@system', 'night-secret'] as const;
    const { status, body } = await token(auth, night, { grant_type: 'client_credentials' });
    expect([status, body.scope]).to.deep.equal([200, 'self']);
    expect((await auth.bearers.find(body.access_token))?.user.id).to.equal('night@system');
    const narrow = await token(auth, night, { grant_type: 'client_credentials', scope: 'svc:echo' });
    expect([...(await auth.bearers.find(narrow.body.access_token))!.scopes]).to.deep.equal(['svc:echo']);
    for (const scope of ['openid', 'svc:nothing', 'self offline_access']) {
      expect((await token(auth, night, { grant_type: 'client_credentials', scope })).body.error).to.equal(
        'invalid_scope',
      );
    }
    expect((await token(auth, web, { grant_type: 'client_credentials' })).status).to.equal(400);
    const told = await auth.fetch('/oauth2/introspect', {
      method: 'POST',
      headers: basicOf(...night),
      body: new URLSearchParams({ token: body.access_token }),
    });
    expect(await told.json()).to.include({ active: true, client_id: 'night@system' });
    await auth.fetch('/oauth2/revoke', {
      method: 'POST',
      headers: basicOf(...night),
      body: new URLSearchParams({ token: body.access_token }),
    });
    expect(await auth.bearers.find(body.access_token)).to.equal(undefined);
  });

  it("answers the origins of the client's redirect URIs across origins, and no others", async () => {
    const from = async (origin: string, path: string, headers: Record<string, string>, form: Record<string, string>) =>
      auth.fetch(path, { method: 'POST', headers: { origin, ...headers }, body: new URLSearchParams(form) });
    const own = new URL(redirectUri).origin;
    const { body } = await webTokens(auth, cookie, { scope: 'openid' });
    for (const path of ['/oauth2/token', '/oauth2/revoke']) {
      const form = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x' };
      const allowed = await from(own, path, basicOf(...web), form);
      expect(allowed.headers.get('access-control-allow-origin')).to.equal(own);
      expect(allowed.headers.get('access-control-allow-credentials')).to.equal(null);
      const refused = await from('https://evil.example', path, basicOf(...web), form);
      expect(refused.status).to.equal(400);
      expect(refused.headers.get('access-control-allow-origin')).to.equal(null);
    }
    const bearer = { authorization: `Bearer ${body.access_token}` };
    expect((await from(own, '/oauth2/userinfo', bearer, {})).headers.get('access-control-allow-origin')).to.equal(own);
    expect((await from('https://evil.example', '/oauth2/userinfo', bearer, {})).status).to.equal(400);
    const discovery = await auth.fetch('/.well-known/openid-configuration', { headers: { origin: own } });
    expect(discovery.headers.get('access-control-allow-origin')).to.equal(own);
    const preflight = await auth.fetch('/oauth2/token', {
      method: 'OPTIONS',
      headers: { origin: own, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).to.equal(204);
  });

  it('answers other methods with 405 and tells which are allowed', async () => {
    const answer = await auth.fetch('/oauth2/token');
    expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'POST, OPTIONS']);
    expect((await auth.fetch('/oauth2/grant', { method: 'PUT', body: 'x' })).status).to.equal(405);
    expect((await auth.fetch('/oauth2/grant/x')).status).to.equal(404);
  });

  it('a person made anew under the same name gets nothing of the one before', async () => {
    await auth.accounts.create({ identity: 'short@local', name: 'Short', password: 'short-lived' });
    const theirs = await signedIn(auth, 'short@local', 'short-lived');
    const { body } = await webTokens(auth, theirs, { scope: 'self offline_access' });
    await auth.accounts.remove('short@local');
    expect((await refresh(auth, body.refresh_token)).body.error).to.equal('invalid_grant');
  });

  it('refuses a client whose property oauth is faulty', async () => {
    const faulty = [
      { redirectUris: ['nonsense'] },
      { redirectUris: [redirectUri], grants: ['password'] },
      { redirectUris: [] },
      { redirectUris: ['javascript:alert(1)'] },
      'yes',
    ];
    for (const [index, property] of faulty.entries()) {
      await auth.accounts.create({
        identity: `bad${index}@system`,
        name: 'Bad',
        password: 'bad-secret',
        properties: { oauth: property },
      });
      const answer = await auth.fetch(`/oauth2/grant?client_id=bad${index}@system&response_type=code`, {
        headers: { cookie },
      });
      expect(answer.status).to.equal(400);
      expect(answer.headers.get('location')).to.equal(null);
    }
  });
});
