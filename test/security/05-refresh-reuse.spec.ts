import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { basicOf, refresh, signedIn, token, web, webTokens } from '../support/browser-session.ts';
import { startAuth, type RunningAuth } from '../support/start-auth.ts';

describe('5. Reuse of a rotated refresh token kills its family and no other; a lost answer can be asked again', () => {
  let auth: RunningAuth;
  let cookie: string;
  before(async () => {
    auth = await startAuth({ settings: { 'oauth.refreshReplay': 5 } });
    cookie = await signedIn(auth);
  });
  after(() => auth.stop());
  const staying = () => webTokens(auth, cookie, { scope: 'self offline_access' });

  it('each refresh gives another token, and the new ones work', async () => {
    const { body } = await staying();
    const next = await refresh(auth, body.refresh_token);
    expect(next.status).to.equal(200);
    expect(next.body.refresh_token).to.not.equal(body.refresh_token);
    expect(await auth.bearers.find(next.body.access_token)).to.not.equal(undefined);
  });

  it('the same successor within a few seconds, also for ten at once', async () => {
    const { body } = await staying();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(auth, body.refresh_token)));
    answers.push(await refresh(auth, body.refresh_token));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(1);
    expect(answers[0]!.status).to.equal(200);
    expect((await refresh(auth, answers[0]!.body.refresh_token)).status).to.equal(200);
  });

  it('later: reuse fails, ends the family, and leaves another one alone', async () => {
    const [one, other] = [await staying(), await staying()];
    const next = await refresh(auth, one.body.refresh_token);
    auth.advance(6);
    const reused = await refresh(auth, one.body.refresh_token);
    expect([reused.status, reused.body.error]).to.deep.equal([400, 'invalid_grant']);
    for (const dead of [one.body.access_token, next.body.access_token])
      expect(await auth.bearers.find(dead)).to.equal(undefined);
    expect((await refresh(auth, next.body.refresh_token)).status).to.equal(400);
    expect(await auth.bearers.find(other.body.access_token)).to.not.equal(undefined);
    expect((await refresh(auth, other.body.refresh_token)).status).to.equal(200);
  });

  it('the answer is asked again by its own client only, and not after the grant was revoked', async () => {
    const { body } = await staying();
    const next = await refresh(auth, body.refresh_token);
    const stolen = await token(auth, ['two@system', 'two-secret'], {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
    });
    expect([stolen.status, stolen.body.error]).to.deep.equal([400, 'invalid_grant']);
    const form = new URLSearchParams({ token: next.body.refresh_token });
    await auth.fetch('/oauth2/revoke', { method: 'POST', headers: basicOf(...web), body: form });
    expect((await refresh(auth, body.refresh_token)).status).to.equal(400);
  });

  it('without the window, the second of many at once ends the family', async () => {
    const strict = await startAuth({ settings: { 'oauth.refreshReplay': 0 } });
    try {
      const { body } = await webTokens(strict, await signedIn(strict), { scope: 'self offline_access' });
      const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(strict, body.refresh_token)));
      const given = answers.filter(({ status }) => status === 200);
      expect(given.length).to.be.at.most(1);
      for (const one of given) expect(await strict.bearers.find(one.body.access_token)).to.equal(undefined);
      expect(await strict.bearers.find(body.access_token)).to.equal(undefined);
    } finally {
      await strict.stop();
    }
  });

  it('no answer lies readable in the store', async () => {
    const { body } = await staying();
    const next = await refresh(auth, body.refresh_token);
    const files = (await readdir(auth.folder, { withFileTypes: true })).filter((entry) => entry.isFile());
    for (const { name } of files) {
      const bytes = (await readFile(join(auth.folder, name))).toString('latin1');
      for (const secret of [body.access_token, body.refresh_token, next.body.access_token, next.body.refresh_token]) {
        expect(bytes.includes(secret), name).to.equal(false);
      }
    }
  });
});
