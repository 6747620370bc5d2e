import { expect } from 'chai';
import { allow, codeOf, ext, makePkce, refresh, signedIn, token, web, webTokens } from '../support/browser-session.ts';
import { startAuth, type RunningAuth } from '../support/start-auth.ts';

describe('2. A code works once; the second use fails and kills what the first gave', () => {
  let auth: RunningAuth;
  let cookie: string;
  before(async () => {
    auth = await startAuth();
    cookie = await signedIn(auth);
  });
  after(() => auth.stop());

  it('second use', async () => {
    const { body, form } = await webTokens(auth, cookie, { scope: 'self offline_access' });
    expect(await auth.bearers.find(body.access_token)).to.not.equal(undefined);
    const again = await token(auth, web, form);
    expect([again.status, again.body.error]).to.deep.equal([400, 'invalid_grant']);
    expect(await auth.bearers.find(body.access_token)).to.equal(undefined);
    expect((await refresh(auth, body.refresh_token)).status).to.equal(400);
  });

  it('second use kills nothing of another grant of the same person and client', async () => {
    const other = await webTokens(auth, cookie);
    const { form } = await webTokens(auth, cookie);
    await token(auth, web, form);
    expect(await auth.bearers.find(other.body.access_token)).to.not.equal(undefined);
  });

  for (let round = 1; round <= 3; round += 1) {
    it(`race of ten, round ${round}`, async () => {
      const pkce = makePkce();
      const code = codeOf(
        await allow(auth, cookie, { client_id: web[0], ...pkce.query, scope: 'self offline_access' }),
      );
      const form = { grant_type: 'authorization_code', code, code_verifier: pkce.verifier };
      const answers = await Promise.all(Array.from({ length: 10 }, () => token(auth, web, form)));
      const given = answers.filter(({ status }) => status === 200);
      expect(given.length).to.be.at.most(1);
      expect(answers.filter(({ status }) => status === 400).length).to.equal(10 - given.length);
      for (const { body } of given) {
        expect(await auth.bearers.find(body.access_token)).to.equal(undefined);
        expect((await refresh(auth, body.refresh_token)).status).to.equal(400);
      }
    });
  }

  it('the code of one client is nothing to another, and stays good for its own', async () => {
    const code = codeOf(await allow(auth, cookie, { client_id: ext[0] }));
    const form = { grant_type: 'authorization_code', code };
    expect((await token(auth, web, form)).body.error).to.equal('invalid_grant');
    expect((await token(auth, ext, form)).status).to.equal(200);
  });

  it('a code ends after its lifetime', async () => {
    const short = await startAuth({ settings: { 'oauth.codeLifetime': 1 } });
    try {
      const code = codeOf(await allow(short, await signedIn(short), { client_id: ext[0] }));
      await new Promise((done) => setTimeout(done, 1100));
      expect((await token(short, ext, { grant_type: 'authorization_code', code })).body.error).to.equal(
        'invalid_grant',
      );
    } finally {
      await short.stop();
    }
  });
});
