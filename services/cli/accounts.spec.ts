import { expect } from 'chai';
import { createRoles } from '#access/roles.ts';
import { createAccounts } from '#accounts/accounts.ts';
import { createServiceTokens } from '#tokens/service-tokens.ts';
import { openFixture, settingsWith, type Fixture } from '../../test/support/open-fixture.ts';
import type { Rooms } from '../rooms.ts';
import { clientCreate, clientList, clientRevoke, clientRotate } from './client.ts';
import type { Command, CommandContext } from './command.ts';
import { roleGrant, roleList, rolePut, roleRemove, roleTake } from './role.ts';
import { tokenList, tokenMake, tokenRevoke } from './token.ts';
import { userAdd, userDisable, userEnable, userList, userPasswd } from './user.ts';

const here = '192.0.2.1';

describe('commands for accounts', () => {
  let fixture: Fixture;
  let rooms: Pick<Rooms, 'accounts' | 'tokens' | 'roles'>;
  let said: unknown[];
  let typed: string;
  let agrees: boolean;
  const run = async (command: Command, args: Record<string, unknown>) => {
    said = [];
    const terminal = {
      json: true,
      say: (facts: unknown) => void said.push(facts),
      warn: () => {},
      confirm: async () => agrees,
      secret: async () => typed,
    };
    const config = { settings: settingsWith(), installation: { publicUrl: 'https://demo.example' } };
    const context = { terminal, env: {}, open: async () => ({ ...rooms, config }) } as unknown as CommandContext;
    return command.run(args, context).catch((error: { code: string }) => error.code);
  };
  const signsIn = async (identity: string, password: string) =>
    'account' in (await rooms.accounts.verify(identity, password, here));

  beforeEach(async () => {
    fixture = await openFixture();
    const accounts = await createAccounts(fixture.deps);
    rooms = {
      accounts,
      tokens: createServiceTokens({ ...fixture.deps, accounts }),
      roles: createRoles(fixture.deps.objects, fixture.deps.bus),
    };
    typed = 'portico-demo';
    agrees = true;
  });
  afterEach(() => fixture.close());

  it('user: adds, lists, disables, enables and gives new passwords', async () => {
    expect(await run(userAdd, { user: 'ann', name: 'Ann', role: ['reader'] })).to.equal(0);
    expect(await signsIn('ann@local', 'portico-demo')).to.equal(true);
    expect(await run(userAdd, { user: 'ann@local' })).to.equal('conflict');
    await run(userList, {});
    expect(said).to.deep.equal([[{ account: 'ann@local', name: 'Ann', roles: ['reader'], disabled: false }]]);
    await run(userDisable, { user: 'ann' });
    expect(await signsIn('ann@local', 'portico-demo')).to.equal(false);
    await run(userEnable, { user: 'ann' });
    typed = 'another password';
    expect(await run(userPasswd, { user: 'ann', reset: true })).to.equal(0);
    expect(await signsIn('ann@local', 'another password')).to.equal(true);
    expect(await rooms.accounts.find('ann@local')).to.include({ needPasswordReset: true });
    expect(await run(userDisable, { user: 'nobody' })).to.equal('not_found');
    typed = 'short';
    expect(await run(userPasswd, { user: 'ann' })).to.equal('invalid');
    expect(await run(userAdd, { user: 'bare', password: false })).to.equal(0);
  });

  it('role: puts, lists, gives, takes and removes', async () => {
    await run(userAdd, { user: 'ann' });
    expect(await run(rolePut, { role: 'reader', permissions: ['c:::record@demo=read,use', '*=read'] })).to.equal(0);
    await run(roleList, {});
    expect(said).to.deep.equal([
      [{ role: 'reader', name: 'reader', permissions: ['c:::record@demo=read,use', '*=read'], source: 'by hand' }],
    ]);
    expect(await run(rolePut, { role: 'x', permissions: ['c:::record@demo=reed'] })).to.equal('invalid');
    await run(roleGrant, { role: 'reader', user: 'ann' });
    await run(roleGrant, { role: 'reader', user: 'ann' });
    expect(said).to.deep.equal([{ account: 'ann@local', roles: ['reader'] }]);
    await run(roleTake, { role: 'reader', user: 'ann' });
    expect(said).to.deep.equal([{ account: 'ann@local', roles: [] }]);
    agrees = false;
    expect(await run(roleRemove, { role: 'reader' })).to.equal(2);
    expect(await run(roleRemove, { role: 'reader', yes: true })).to.equal(0);
    expect(await rooms.roles.list()).to.deep.equal([]);
  });

  it('client: registers, lists, rotates and revokes; the secret is shown once and stored as a hash', async () => {
    const redirectUri = ['https://ext.example/callback'];
    expect(await run(clientCreate, { client: 'ext', name: 'Ext', redirectUri })).to.equal(0);
    const { client, secret } = said[0] as { client: string; secret: string };
    expect(client).to.equal('ext@system');
    expect(secret).to.match(/^[\w-]{43}$/);
    expect(await signsIn('ext@system', secret)).to.equal(true);
    expect(JSON.stringify(await rooms.accounts.find('ext@system'))).to.not.contain(secret);
    await run(clientList, {});
    expect(said[0]).to.deep.equal([
      { client: 'ext@system', name: 'Ext', disabled: false, redirectUris: redirectUri, grants: ['authorization_code', 'refresh_token'], legacy: false },
    ]); // prettier-ignore
    expect(await run(clientCreate, { client: 'bad', redirectUri: ['/relative'] })).to.equal('invalid');
    expect(await run(clientCreate, { client: 'bad' })).to.equal('invalid');
    expect(await run(clientRotate, { client: 'ext', yes: true })).to.equal(0);
    const rotated = (said[0] as { secret: string }).secret;
    expect(await signsIn('ext@system', secret)).to.equal(false);
    expect(await signsIn('ext@system', rotated)).to.equal(true);
    agrees = false;
    expect(await run(clientRevoke, { client: 'ext' })).to.equal(2);
    expect(await run(clientRevoke, { client: 'ext', yes: true })).to.equal(0);
    expect(await signsIn('ext@system', rotated)).to.equal(false);
    await run(userAdd, { user: 'ann' });
    expect(await run(clientRotate, { client: 'ann@local', yes: true })).to.equal('not_found');
  });

  it('token: makes, lists and revokes one or all', async () => {
    await run(userAdd, { user: 'ann' });
    expect(await run(tokenMake, { owner: 'ann', ttl: '60', name: 'export' })).to.equal(0);
    const { token, id } = said[0] as { token: string; id: string };
    expect((await rooms.tokens.find(token))?.owner.id).to.equal('ann@local');
    await run(tokenList, { owner: 'ann' });
    expect(JSON.stringify(said)).to.contain('export').and.contain(id).and.not.contain(token);
    expect(await run(tokenRevoke, { owner: 'ann', id: 'none', yes: true })).to.equal('not_found');
    expect(await run(tokenRevoke, { owner: 'ann', id, yes: true })).to.equal(0);
    expect(await rooms.tokens.find(token)).to.equal(undefined);
    await run(tokenMake, { owner: 'ann' });
    expect(await run(tokenRevoke, { owner: 'ann', yes: true })).to.equal(0);
    expect(said).to.deep.equal([{ revoked: 1 }]);
    expect(await run(tokenMake, { owner: 'ann', ttl: 'soon' })).to.equal(2);
  });
});
