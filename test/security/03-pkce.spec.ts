import { expect } from 'chai';
import { allow, codeOf, ext, makePkce, signedIn, token, web } from '../support/browser-session.ts';
import { startAuth, type RunningAuth } from '../support/start-auth.ts';

describe('3. PKCE: missing, plain or wrong fails for every client not marked legacy; a verifier without a challenge fails', () => {
  let auth: RunningAuth;
  let cookie: string;
  before(async () => {
    auth = await startAuth({
      accounts: [
        {
          identity: 'old@system',
          name: 'Old',
          password: 'old-secret',
          properties: { oauth: { redirectUris: ['http://127.0.0.1:9/old'], legacy: true } },
        },
      ],
    });
    cookie = await signedIn(auth);
  });
  after(() => auth.stop());

  const errorOf = (location: URL) => location.searchParams.get('error');
  const exchange = (code: string, more: Readonly<Record<string, string>>) =>
    token(auth, web, { grant_type: 'authorization_code', code, ...more });

  it('no challenge', async () => {
    const location = await allow(auth, cookie, { client_id: web[0] });
    expect(errorOf(location)).to.equal('invalid_request');
    expect(location.searchParams.has('code')).to.equal(false);
  });

  it('challenge of the method plain, or of none, which means plain', async () => {
    const { verifier } = makePkce();
    for (const method of [{ code_challenge_method: 'plain' }, {}]) {
      const location = await allow(auth, cookie, { client_id: web[0], code_challenge: verifier, ...method });
      expect(errorOf(location)).to.equal('invalid_request');
    }
  });

  it('no verifier, a wrong one, the challenge itself', async () => {
    const pkce = makePkce();
    const wrongs: readonly Record<string, string>[] = [
      {},
      { code_verifier: makePkce().verifier },
      { code_verifier: pkce.query.code_challenge },
      { code_verifier: '' },
    ];
    for (const wrong of wrongs) {
      const code = codeOf(await allow(auth, cookie, { client_id: web[0], ...pkce.query }));
      const { status, body } = await exchange(code, wrong);
      expect([status, body.error]).to.deep.equal([400, 'invalid_grant']);
    }
    const code = codeOf(await allow(auth, cookie, { client_id: web[0], ...pkce.query }));
    expect((await exchange(code, { code_verifier: pkce.verifier })).status).to.equal(200);
  });

  it('a verifier without a challenge', async () => {
    const code = codeOf(await allow(auth, cookie, { client_id: ext[0] }));
    const form = { grant_type: 'authorization_code', code, code_verifier: makePkce().verifier };
    expect((await token(auth, ext, form)).body.error).to.equal('invalid_grant');
  });

  it('legacy clients need none, but when they use it, it counts', async () => {
    const plain = codeOf(await allow(auth, cookie, { client_id: 'old@system' }));
    expect(
      (await token(auth, ['old@system', 'old-secret'], { grant_type: 'authorization_code', code: plain })).status,
    ).to.equal(200);
    const pkce = makePkce();
    const bound = codeOf(await allow(auth, cookie, { client_id: ext[0], ...pkce.query }));
    expect((await token(auth, ext, { grant_type: 'authorization_code', code: bound })).body.error).to.equal(
      'invalid_grant',
    );
  });
});
