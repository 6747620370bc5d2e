import { expect } from 'chai';
import { endGrant, listGrants } from '#tokens/grants.ts';
import { refresh, signedIn, webTokens } from '../../../test/support/browser-session.ts';
import { startAuth, type RunningAuth } from '../../../test/support/start-auth.ts';

describe('what a person allowed', () => {
  let auth: RunningAuth;
  let cookie: string;
  before(async () => {
    auth = await startAuth();
    cookie = await signedIn(auth);
  });
  after(() => auth.stop());

  it('is listed by account, with client, scopes and end', async () => {
    await webTokens(auth, cookie, { scope: 'self offline_access' });
    await webTokens(auth, cookie, { scope: 'svc:echo' });
    const grants = await listGrants(auth.state, 'demo@local');
    expect(grants.map(({ client }) => client)).to.deep.equal(['web@system', 'web@system']);
    expect(grants.map(({ scopes }) => scopes.join(' '))).to.have.members(['self offline_access', 'svc:echo']);
    const days = grants.map(({ allowedAt, endsAt }) => (endsAt - allowedAt) / 86_400);
    expect(days).to.have.members([90, 0.5]); // the second ends with the session at the latest
    expect(await listGrants(auth.state, 'other@local')).to.deep.equal([]);
  });

  it('ends alone, with all that was given under it', async () => {
    const [one, other] = [
      await webTokens(auth, cookie, { scope: 'self offline_access' }),
      await webTokens(auth, cookie),
    ];
    const theirs = await auth.bearers.find(one.body.access_token);
    expect(theirs?.user.id).to.equal('demo@local');
    const before = await listGrants(auth.state, 'demo@local');
    const staying = before.filter(({ scopes }) => scopes.includes('offline_access'));
    for (const { id } of staying) await endGrant(auth.state, id);
    expect(await auth.bearers.find(one.body.access_token)).to.equal(undefined);
    expect((await refresh(auth, one.body.refresh_token)).body.error).to.equal('invalid_grant');
    expect(await auth.bearers.find(other.body.access_token)).to.not.equal(undefined);
    const after = await listGrants(auth.state, 'demo@local');
    expect(after.length).to.equal(before.length - staying.length);
  });

  it('leaves the list when its time is over', async () => {
    auth.advance(13 * 3600);
    const left = await listGrants(auth.state, 'demo@local');
    expect(left.every(({ scopes }) => scopes.includes('offline_access'))).to.equal(true);
  });
});
