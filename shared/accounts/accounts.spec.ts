import { expect } from 'chai';
import { pbkdf2Sync } from 'node:crypto';
import { createAccounts } from './accounts.ts';
import type { Accounts, Verdict } from './account.ts';
import { openFixture, type Fixture } from '../../test/support/open-fixture.ts';

const password = 'portico-demo';
const here = '192.0.2.1';
const wrong: Verdict = { refused: 'wrong' };
const soon = () => new Promise((done) => setTimeout(done, 20));
const passes = async (verdict: Promise<Verdict>) => 'account' in (await verdict);

describe('accounts', () => {
  let fixture: Fixture;
  let accounts: Accounts;
  beforeEach(async () => {
    fixture = await openFixture();
    accounts = await createAccounts(fixture.deps);
    await accounts.create({
      identity: 'demo@local',
      name: 'Demo',
      password,
      roles: ['admin'],
      properties: { office: 'North' },
    });
  });
  afterEach(() => fixture.close());

  it('are found with everything but the password', async () => {
    const found = await accounts.find('demo@local');
    expect(found).to.include({ identity: 'demo@local', type: 'local', name: 'Demo', disabled: false });
    expect(found?.properties).to.deep.equal({ office: 'North' });
    expect(found?.passwordHash)
      .to.match(/^\$argon2id/)
      .and.not.contain(password);
    expect(await accounts.find('nobody@local')).to.equal(undefined);
    expect((await accounts.list()).map((one) => one.identity)).to.deep.equal(['demo@local']);
  });

  it('are refused under a name that is taken or is no identity', async () => {
    const codeOf = (identity: string) => accounts.create({ identity, password }).then(() => 'made', (error: { code: string }) => error.code); // prettier-ignore
    expect(await codeOf('demo@local')).to.equal('conflict');
    for (const name of ['demo', '@local', 'demo@', 'a\nb@local', ' demo@local'])
      expect(await codeOf(name), name).to.equal('invalid');
  });

  it('let the right password in, and answer unknown, wrong and disabled alike', async () => {
    await accounts.create({ identity: 'off@local', password, disabled: true });
    expect(await passes(accounts.verify('demo@local', password, here))).to.equal(true);
    for (const [identity, tried] of [['demo@local', 'portico-Demo'], ['off@local', password], ['gone@local', password], ['demo', password], ['demo@local', '']] as const) {
      expect(await accounts.verify(identity, tried, here), identity).to.deep.equal(wrong);
    } // prettier-ignore
  });

  it('are created without a password as accounts that nobody can sign in to', async () => {
    await accounts.create({ identity: 'bare@local' });
    expect(await accounts.verify('bare@local', '', here)).to.deep.equal(wrong);
    expect(await accounts.verify('bare@local', 'not a password', here)).to.deep.equal(wrong);
  });

  it('forget a remembered password at once when the account changes in another process', async () => {
    const other = await createAccounts(fixture.deps);
    for (const change of [{ disabled: true }, { disabled: false }, { password: 'another one' }]) {
      await accounts.verify('demo@local', password, here);
      await other.change('demo@local', change);
      await soon();
      const expected = change.disabled === false;
      expect(await passes(accounts.verify('demo@local', password, here)), JSON.stringify(change)).to.equal(expected);
    }
    expect(await passes(accounts.verify('demo@local', 'another one', here))).to.equal(true);
  });

  it('forget it within a second also when the news of the change got lost', async () => {
    const deaf = await createAccounts({
      ...fixture.deps,
      bus: { publish: async () => {}, subscribe: () => () => {}, onGap: () => () => {} },
    });
    for (const change of [{ password: 'another one' }, { disabled: true }]) {
      await deaf.change('demo@local', { password, disabled: false });
      expect(await passes(deaf.verify('demo@local', password, here))).to.equal(true);
      await accounts.change('demo@local', change);
      fixture.advance(1);
      expect(await deaf.verify('demo@local', password, here), JSON.stringify(change)).to.deep.equal(wrong);
    }
  });

  it('do not let the old password in after the account was removed and made again', async () => {
    await accounts.verify('demo@local', password, here);
    await accounts.remove('demo@local');
    expect(await accounts.find('demo@local')).to.equal(undefined);
    await accounts.create({ identity: 'demo@local', password: 'fresh start' });
    expect(await accounts.verify('demo@local', password, here)).to.deep.equal(wrong);
  });

  it('need no trip to the state store for a remembered password', async () => {
    let trips = 0;
    const counted = new Proxy(fixture.deps.state, {
      get: (state, name, self) => (trips++, Reflect.get(state, name, self)),
    });
    const watched = await createAccounts({ ...fixture.deps, state: counted });
    await watched.verify('demo@local', password, here);
    const first = trips;
    expect(await passes(watched.verify('demo@local', password, here))).to.equal(true);
    expect(first).to.be.greaterThan(0);
    expect(trips).to.equal(first);
  });

  it('hash equal credentials that come at once only once', async () => {
    let trips = 0;
    const state = { ...fixture.deps.state, increment: (...args: Parameters<typeof fixture.deps.state.increment>) => (trips++, fixture.deps.state.increment(...args)) }; // prettier-ignore
    const watched = await createAccounts({ ...fixture.deps, state });
    const verdicts = await Promise.all(Array.from({ length: 30 }, () => watched.verify('demo@local', password, here)));
    expect(verdicts.every((verdict) => 'account' in verdict)).to.equal(true);
    expect(trips).to.equal(2); // one look at the address, one attempt
  });

  it('renew a hash from an old installation at the next login, which is no new password', async () => {
    const hash = pbkdf2Sync('old secret', Buffer.from('00ff', 'hex'), 10_000, 64, 'sha1').toString('hex');
    await accounts.create({ identity: 'old@local', passwordHash: `pbkdf2$10000$${hash}$00ff` });
    const before = await accounts.find('old@local');
    expect(await passes(accounts.verify('old@local', 'old secret', here))).to.equal(true);
    const after = await accounts.find('old@local');
    expect(after?.passwordHash).to.match(/^\$argon2id/);
    expect(after?.passwordSince).to.equal(before?.passwordSince);
    expect(await passes(accounts.verify('old@local', 'old secret', here))).to.equal(true);
  });

  it('lose no change when two processes change one account at once', async () => {
    const other = await createAccounts(fixture.deps);
    await Promise.all([
      accounts.change('demo@local', { name: 'New' }),
      other.change('demo@local', { roles: ['reader'] }),
    ]);
    await soon();
    expect(await accounts.find('demo@local')).to.deep.include({ name: 'New', roles: ['reader'] });
  });

  it('tell subscribers in every process of a change, until they leave', async () => {
    const other = await createAccounts(fixture.deps);
    const heard: string[] = [];
    const leave = other.onChange((identity) => heard.push(identity));
    await accounts.change('demo@local', { name: 'X' });
    await soon();
    expect(heard).to.deep.equal(['demo@local']);
    leave();
    await accounts.change('demo@local', { name: 'Y' });
    await soon();
    expect(heard).to.deep.equal(['demo@local']);
  });

  it('take names in any case only where that is chosen', async () => {
    const loose = await createAccounts({ ...fixture.deps, caseInsensitiveLogin: true });
    expect(await passes(loose.verify('DEMO@Local', password, here))).to.equal(true);
    expect((await loose.find('Demo@LOCAL'))?.identity).to.equal('demo@local');
    expect(await accounts.verify('DEMO@local', password, here)).to.deep.equal(wrong);
    expect(await loose.create({ identity: 'Demo@local' }).catch((error: { code: string }) => error.code)).to.equal(
      'conflict',
    );
  });

  it('do the same work for unknown, wrong and disabled, also beside an old hash', async function () {
    this.timeout(20_000);
    await accounts.create({ identity: 'off@local', password, disabled: true });
    await accounts.create({ identity: 'old@local', passwordHash: `pbkdf2$10000$${'ab'.repeat(64)}$00ff` });
    const spent = new Map<string, number[]>();
    for (let round = 0; round < 9; round += 1) {
      for (const identity of ['gone@local', 'demo@local', 'off@local', 'old@local']) {
        const start = process.cpuUsage(); // of all threads; hardly changed by what else the machine does
        await accounts.verify(identity, identity === 'off@local' ? password : 'wrong', `192.0.2.${round}`);
        const { user, system } = process.cpuUsage(start);
        spent.set(identity, [...(spent.get(identity) ?? []), user + system]);
      }
    }
    const least = [...spent.values()].map((all) => Math.min(...all));
    expect(Math.max(...least) / Math.min(...least), String(least)).to.be.lessThan(2); // without a hash it is a hundredth
  });
});
