import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { refresh, signedIn, webTokens } from '../support/browser-session.ts';
import { startAuth } from '../support/start-auth.ts';

describe('6. Refresh tokens and grants have an absolute end', () => {
  it('rotation does not move the end of the grant, and what is given never outlives it', async () => {
    const auth = await startAuth({ settings: { 'oauth.grantLifetime': 3, 'oauth.refreshReplay': 0 } });
    try {
      let { body } = await webTokens(auth, await signedIn(auth), { scope: 'self offline_access' });
      const end = Date.now() + 3100;
      expect(body.expires_in).to.be.at.most(3);
      let rotations = 0;
      while (Date.now() < end) {
        await delay(400);
        const next = await refresh(auth, body.refresh_token);
        if (next.status !== 200) break;
        rotations += 1;
        expect(next.body.expires_in).to.be.at.most(3);
        ({ body } = next);
      }
      expect(rotations).to.be.at.least(2);
      await delay(Math.max(0, end - Date.now()));
      expect((await refresh(auth, body.refresh_token)).body.error).to.equal('invalid_grant');
      expect(await auth.bearers.find(body.access_token)).to.equal(undefined);
    } finally {
      await auth.stop();
    }
  });

  it('a refresh token that is not used ends after its own lifetime', async () => {
    const auth = await startAuth({ settings: { 'oauth.refreshTokenLifetime': 60 } });
    try {
      const { body } = await webTokens(auth, await signedIn(auth), { scope: 'self offline_access' });
      auth.advance(61);
      expect((await refresh(auth, body.refresh_token)).body.error).to.equal('invalid_grant');
    } finally {
      await auth.stop();
    }
  });

  it('without offline_access all ends with the session, by sign-out and by its absolute end', async () => {
    const auth = await startAuth({ settings: { 'sessions.absolute': 3600, 'oauth.accessTokenLifetime': 7200 } });
    try {
      const cookie = await signedIn(auth);
      const [bound, free] = [
        await webTokens(auth, cookie),
        await webTokens(auth, cookie, { scope: 'self offline_access' }),
      ];
      await auth.fetch('/auth/sign-out', { method: 'POST', headers: { cookie } });
      expect(await auth.bearers.find(bound.body.access_token)).to.equal(undefined);
      expect((await refresh(auth, bound.body.refresh_token)).status).to.equal(400);
      expect(await auth.bearers.find(free.body.access_token)).to.not.equal(undefined);
      const later = await webTokens(auth, await signedIn(auth));
      auth.advance(3601);
      expect(await auth.bearers.find(later.body.access_token)).to.equal(undefined);
    } finally {
      await auth.stop();
    }
  });
});
