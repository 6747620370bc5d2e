import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { compactVerify, createRemoteJWKSet, importJWK, jwtVerify, SignJWT, type JWK } from 'jose';
import { basicOf, ext, signedIn, web, webTokens } from '../support/browser-session.ts';
import { startAuth, type RunningAuth } from '../support/start-auth.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('7. Confidential clients authenticate at token, revocation and introspection; alg none, wrong key and confused algorithms fail', () => {
  let auth: RunningAuth;
  let cookie: string;
  before(async () => {
    auth = await startAuth();
    cookie = await signedIn(auth);
  });
  after(() => auth.stop());
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    auth.fetch(path, { method: 'POST', headers, body: new URLSearchParams(form) });
  const isActive = async (token: string, client: readonly [string, string] = web) =>
    ((await (await post('/oauth2/introspect', { token }, basicOf(...client))).json()) as { active: boolean }).active;

  for (const path of ['/oauth2/token', '/oauth2/revoke', '/oauth2/introspect']) {
    it(`${path} without, with a wrong or with two kinds of credentials`, async () => {
      const { body, form } = await webTokens(auth, cookie);
      const asked = path === '/oauth2/token' ? form : { token: body.access_token };
      const tries: readonly (readonly [Record<string, string>, Record<string, string>])[] = [
        [{}, {}],
        [{}, { client_id: web[0] }],
        [basicOf(web[0], 'wrong'), {}],
        [basicOf(web[0], ''), {}],
        [basicOf('nobody@system', 'x'), {}],
        [{}, { client_id: web[0], client_secret: 'wrong' }],
        [basicOf(...web), { client_id: web[0], client_secret: web[1] }],
        [basicOf(...ext), { client_id: web[0] }],
        [{ authorization: 'Bearer x' }, { client_id: web[0] }],
        [{}, { client_id: web[0], client_secret: 'is held as a password hash' }],
      ];
      for (const [headers, more] of tries) {
        const answer = await post(path, { ...asked, ...more }, headers);
        expect(answer.status, JSON.stringify([headers, more])).to.be.oneOf([400, 401]);
        expect(await answer.text()).to.not.match(/access_token|"active":true/);
      }
      expect(await isActive(body.access_token)).to.equal(true);
    });
  }

  it('a failed client login counts against its account, and is held back with 429 in the end', async () => {
    const other = await startAuth({ settings: { 'auth.maxFailures': 3 } });
    try {
      const attempt = (secret: string) =>
        other.fetch('/oauth2/token', {
          method: 'POST',
          headers: basicOf(ext[0], secret),
          body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x' }),
        });
      const statuses: number[] = [];
      for (let count = 0; count < 6; count += 1) statuses.push((await attempt(`wrong${count}`)).status);
      expect(statuses[0]).to.equal(401);
      expect(statuses.at(-1)).to.equal(429);
      const held = await attempt(ext[1]);
      expect(held.status).to.equal(429);
      expect(Number(held.headers.get('retry-after'))).to.be.greaterThan(0);
      expect(await held.json()).to.have.property('error');
    } finally {
      await other.stop();
    }
  });

  it('assertions signed with alg none or with the secret are no authentication', async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: web[0], sub: web[0], aud: auth.url, jti: 'j', iat: now, exp: now + 60 };
    const none = `${encode({ alg: 'none' })}.${encode(claims)}.`;
    const signing = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
    const hs = `${signing}.${createHmac('sha256', web[1]).update(signing).digest('base64url')}`;
    for (const client_assertion of [none, hs]) {
      const answer = await post('/oauth2/token', {
        grant_type: 'client_credentials',
        client_assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      });
      expect(answer.status).to.be.oneOf([400, 401]);
    }
  });

  it('ID tokens are signed with a published asymmetric key; other keys and algorithms do not verify', async () => {
    const { body } = await webTokens(auth, cookie, { scope: 'openid profile' });
    const keys = createRemoteJWKSet(new URL(`${auth.url}/oauth2/jwks`));
    const { payload, protectedHeader } = await jwtVerify(body.id_token, keys, { issuer: auth.url, audience: web[0] });
    expect(protectedHeader.alg).to.equal('RS256');
    expect(payload.sub).to.equal('demo@local');
    const published = (await (await auth.fetch('/oauth2/jwks')).json()) as { keys: JWK[] };
    expect(published.keys.map(({ alg }) => alg)).to.have.members(['RS256', 'ES256']);
    for (const key of published.keys) expect(key).to.not.have.any.keys('d', 'p', 'q', 'k');
    const confused = await new SignJWT({ ...payload })
      .setProtectedHeader({ alg: 'HS256', kid: protectedHeader.kid! })
      .sign(Buffer.from(JSON.stringify(published.keys[0])));
    for (const forged of [confused, `${encode({ alg: 'none' })}.${encode(payload)}.`]) {
      expect(
        await jwtVerify(forged, keys).then(
          () => 'verified',
          () => 'refused',
        ),
      ).to.equal('refused');
      const query = new URLSearchParams({
        client_id: web[0],
        response_type: 'code',
        scope: 'openid',
        id_token_hint: forged,
      });
      const answer = await auth.fetch(`/oauth2/grant?${query.toString()}`, { headers: { cookie } });
      expect(new URL(answer.headers.get('location')!).searchParams.get('error')).to.equal('invalid_request');
    }
    const wrongKey = await importJWK(
      published.keys.find(({ alg }) => alg === 'ES256')!,
      'ES256',
    );
    expect(
      await compactVerify(body.id_token, wrongKey).then(
        () => 'verified',
        () => 'refused',
      ),
    ).to.equal('refused');
  });

  it('a client sees and ends its own tokens alone', async () => {
    const { body } = await webTokens(auth, cookie);
    expect(await isActive(body.access_token, ext)).to.equal(false);
    await post('/oauth2/revoke', { token: body.access_token }, basicOf(...ext));
    expect(await isActive(body.access_token)).to.equal(true);
    await post('/oauth2/revoke', { token: body.access_token }, basicOf(...web));
    expect(await isActive(body.access_token)).to.equal(false);
    expect(await auth.bearers.find(body.access_token)).to.equal(undefined);
  });
});
