import { expect } from 'chai';
import type { Accounts } from '#accounts/account.ts';
import { createAccounts } from '#accounts/accounts.ts';
import { openFixture, type Fixture } from '../../test/support/open-fixture.ts';
import { createBearerTokens, keyOf, type BearerRecord, type BearerTokens } from './bearer.ts';

const token = 'k3v9q0x7m2d8r5t1b6n4w0z8c7y2p5h9j1f3g6sa_-A';

describe('bearer tokens', () => {
  let fixture: Fixture;
  let accounts: Accounts;
  let bearer: BearerTokens;
  let sessionAlive: boolean;
  const store = async (more: Partial<BearerRecord> & Record<string, unknown> = {}) => {
    const now = Math.floor(fixture.clock() / 1000);
    const record = { kind: 'AccessToken', accountId: 'demo@local', clientId: 'ext@system', scope: 'self svc:echo', iat: now, exp: now + 3600, grantId: 'g1', ...more }; // prettier-ignore
    await fixture.deps.state.put(keyOf('AccessToken', token), JSON.stringify(record), 3_600_000);
    await fixture.deps.state.put(keyOf('Grant', 'g1'), '{}', 3_600_000);
  };
  beforeEach(async () => {
    sessionAlive = true;
    fixture = await openFixture();
    accounts = await createAccounts(fixture.deps);
    bearer = createBearerTokens({ ...fixture.deps, accounts, isSessionAlive: async () => sessionAlive });
    await accounts.create({ identity: 'demo@local', name: 'Demo' });
    await accounts.create({ identity: 'ext@system', name: 'Ext' });
  });
  afterEach(() => fixture.close());

  it('tell who acts, through which client, and for what', async () => {
    await store();
    const found = await bearer.find(token);
    expect(found?.user.id).to.equal('demo@local');
    expect(found?.clientId).to.equal('ext@system');
    expect([...found!.scopes]).to.deep.equal(['self', 'svc:echo']);
  });

  it('of client credentials act as the client itself, and need no grant', async () => {
    await store({ kind: 'ClientCredentials', accountId: undefined, grantId: undefined } as never);
    expect((await bearer.find(token))?.user.id).to.equal('ext@system');
  });

  it('end with the token, with the grant and with their time, at once also when seen before', async () => {
    for (const end of [
      () => fixture.deps.state.remove([keyOf('AccessToken', token)]),
      () => fixture.deps.state.remove([keyOf('Grant', 'g1')]),
      async () => fixture.advance(3601),
    ]) {
      await store();
      expect(await bearer.find(token)).to.not.equal(undefined);
      await end();
      expect(await bearer.find(token), String(end)).to.equal(undefined);
    }
  });

  it('end with the account and with the client', async () => {
    for (const identity of ['demo@local', 'ext@system']) {
      await store();
      await accounts.change(identity, { disabled: true });
      expect(await bearer.find(token), identity).to.equal(undefined);
      await accounts.change(identity, { disabled: false });
      expect(await bearer.find(token), identity).to.not.equal(undefined);
      fixture.advance(5);
      await accounts.remove(identity);
      await accounts.create({ identity });
      expect(await bearer.find(token), `${identity} made anew`).to.equal(undefined);
    }
  });

  it('end with the session where they hang on it', async () => {
    await store({ sessionUid: 'u', expiresWithSession: true });
    expect(await bearer.find(token)).to.not.equal(undefined);
    sessionAlive = false;
    expect(await bearer.find(token)).to.equal(undefined);
    await store({ sessionUid: 'u', expiresWithSession: false });
    expect(await bearer.find(token)).to.not.equal(undefined);
    await store({ expiresWithSession: true });
    expect(await bearer.find(token), 'without a session to look for').to.equal(undefined);
  });

  it('are not found when of another kind, bound to a key, without a grant, or misspelt', async () => {
    for (const wrong of [
      { kind: 'RefreshToken' },
      { jkt: 'x' },
      { 'x5t#S256': 'x' },
      { grantId: undefined },
      { grantId: 'g2' },
    ]) {
      await store(wrong as never);
      expect(await bearer.find(token), JSON.stringify(wrong)).to.equal(undefined);
    }
    await store();
    for (const other of ['', token.slice(1), `${token}A`, 'a b', '../x'])
      expect(await bearer.find(other)).to.equal(undefined);
  });

  it('are read together with their grant once they were seen', async () => {
    await store();
    const running = { now: 0, most: 0 };
    const state = {
      get: async (key: string) => {
        running.most = Math.max(running.most, (running.now += 1));
        await new Promise((done) => setTimeout(done, 5));
        running.now -= 1;
        return fixture.deps.state.get(key);
      },
    };
    const watched = createBearerTokens({ ...fixture.deps, state, accounts, isSessionAlive: async () => true });
    await watched.find(token);
    expect(running.most).to.equal(1);
    await watched.find(token);
    expect(running.most).to.equal(2);
  });

  it('do not tell the token by the key', () => {
    expect(keyOf('AccessToken', token)).to.not.contain(token);
    expect(keyOf('ClientCredentials', token)).to.equal(keyOf('AccessToken', token));
    expect(keyOf('RefreshToken', token)).to.not.equal(keyOf('AccessToken', token));
  });
});
