import { expect } from 'chai';
import type { Accounts } from '#accounts/account.ts';
import { createAccounts } from '#accounts/accounts.ts';
import { openFixture, type Fixture } from '../../test/support/open-fixture.ts';
import { createServiceTokens, type ServiceTokens } from './service-tokens.ts';

const soon = () => new Promise((done) => setTimeout(done, 20));

describe('service tokens', () => {
  let fixture: Fixture;
  let accounts: Accounts;
  let tokens: ServiceTokens;
  const make = async (ttl = 3600, name = 'script') => (await tokens.make('demo@local', { ttl, name })).token;
  beforeEach(async () => {
    fixture = await openFixture();
    accounts = await createAccounts(fixture.deps);
    tokens = createServiceTokens({ ...fixture.deps, accounts });
    await accounts.create({ identity: 'demo@local', name: 'Demo', properties: { office: 'North' } });
  });
  afterEach(() => fixture.close());

  it('are 40 small letters and digits and find their owner, in every process', async () => {
    const token = await make();
    expect(token).to.match(/^[a-z0-9]{40}$/);
    const found = await createServiceTokens({ ...fixture.deps, accounts }).find(token);
    expect(found?.owner).to.deep.equal({ id: 'demo@local', name: 'Demo', properties: { office: 'North' } });
  });

  it('are not found when unknown, misspelt or of another form', async () => {
    const token = await make();
    for (const other of [
      '',
      'x',
      token.toUpperCase(),
      `${token}a`,
      token.replace(/^./, (one) => (one === 'a' ? 'b' : 'a')),
    ]) {
      expect(await tokens.find(other), other).to.equal(undefined);
    }
  });

  it('live for their time and are listed as ended for a week', async () => {
    const token = await make(60);
    fixture.advance(59);
    expect(await tokens.find(token)).to.not.equal(undefined);
    fixture.advance(2);
    expect(await tokens.find(token)).to.equal(undefined);
    expect(await tokens.list('demo@local')).to.have.lengthOf(1);
    fixture.advance(8 * 24 * 3600);
    expect(await tokens.list('demo@local')).to.deep.equal([]);
  });

  it('of one account live side by side and end one by one or together', async () => {
    const [one, two, three] = [await make(), await make(3600, 'second'), await make()];
    expect(await tokens.revoke(one)).to.equal(true);
    expect(await tokens.revoke(one)).to.equal(false);
    expect(await tokens.find(one)).to.equal(undefined);
    const second = (await tokens.list('demo@local')).find(({ name }) => name === 'second');
    expect(await tokens.revokeById('eve@local', second!.id)).to.equal(false);
    expect(await tokens.revokeById('demo@local', second!.id)).to.equal(true);
    expect([await tokens.find(two), (await tokens.find(three)) !== undefined]).to.deep.equal([undefined, true]);
    expect(await tokens.revokeAll('demo@local')).to.equal(1);
    expect(await tokens.find(three)).to.equal(undefined);
  });

  it('die with their account: disabled, removed, or made anew under the same name', async () => {
    const token = await make();
    await accounts.change('demo@local', { disabled: true });
    expect(await tokens.find(token)).to.equal(undefined);
    await accounts.change('demo@local', { disabled: false, password: 'a new one' });
    expect(await tokens.find(token), 'a new password is another credential').to.not.equal(undefined);
    fixture.advance(5);
    await accounts.remove('demo@local');
    expect(await tokens.find(token)).to.equal(undefined);
    await accounts.create({ identity: 'demo@local' });
    expect(await tokens.find(token)).to.equal(undefined);
  });

  it('are not made for an account that is missing or disabled', async () => {
    const codeOf = (owner: string) => tokens.make(owner, { ttl: 60 }).then(() => 'made', (error: { code: string }) => error.code); // prettier-ignore
    expect(await codeOf('nobody@local')).to.equal('not_found');
    await accounts.change('demo@local', { disabled: true });
    expect(await codeOf('demo@local')).to.equal('not_found');
  });

  it('note their last use at most once a minute', async () => {
    const token = await make();
    let writes = 0;
    const state = { ...fixture.deps.state, putIfPresent: (...words: Parameters<typeof fixture.deps.state.putIfPresent>) => (writes++, fixture.deps.state.putIfPresent(...words)) }; // prettier-ignore
    const watched = createServiceTokens({ ...fixture.deps, state, accounts });
    const use = async () => { await Promise.all([watched.find(token), watched.find(token)]); await soon(); }; // prettier-ignore
    await use();
    await use();
    expect(writes).to.equal(1);
    fixture.advance(61);
    await use();
    expect(writes).to.equal(2);
    const [record] = await tokens.list('demo@local');
    expect(record!.used! - record!.created).to.be.closeTo(61_000, 1000);
  });

  it('do not come back when their use is noted after they were revoked', async () => {
    const token = await make();
    let release = () => {};
    const held = new Promise<void>((done) => { release = done; }); // prettier-ignore
    const state = { ...fixture.deps.state, putIfPresent: async (...words: Parameters<typeof fixture.deps.state.putIfPresent>) => (await held, fixture.deps.state.putIfPresent(...words)) }; // prettier-ignore
    await createServiceTokens({ ...fixture.deps, state, accounts }).find(token);
    await tokens.revoke(token);
    release();
    await soon();
    expect(await tokens.find(token)).to.equal(undefined);
    expect(await tokens.list('demo@local')).to.deep.equal([]);
  });

  it('are not to be read from the store', async () => {
    const written: string[] = [];
    const state = { ...fixture.deps.state, put: (...words: Parameters<typeof fixture.deps.state.put>) => (written.push(words.join()), fixture.deps.state.put(...words)) }; // prettier-ignore
    const { token, record } = await createServiceTokens({ ...fixture.deps, state, accounts }).make('demo@local', {
      ttl: 60,
    });
    expect(written.join()).to.contain('demo@local').and.not.contain(token);
    expect(JSON.stringify(record)).to.not.contain(token);
  });
});
