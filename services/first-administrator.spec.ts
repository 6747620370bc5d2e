import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createRoles } from '#access/roles.ts';
import { createAccounts } from '#accounts/accounts.ts';
import { openFixture, type Fixture } from '../test/support/open-fixture.ts';
import { makeFirstAdministrator } from './first-administrator.ts';

const password = 'a password of the installation';
const administrator = { permissions: { '*': ['full'] }, id: 'admin', name: 'Admin' };

describe('the first administrator', () => {
  let fixture: Fixture;
  let application: string;
  const process = async () => ({
    ...fixture.deps,
    accounts: await createAccounts(fixture.deps),
    roles: createRoles(fixture.deps.objects, fixture.deps.bus),
  });
  const make = async (given: string | undefined = password) =>
    makeFirstAdministrator({ identity: 'admin@local', password: given, application }, await process());
  const names = async () => (await (await process()).accounts.list()).map(({ identity }) => identity);

  beforeEach(async () => {
    fixture = await openFixture();
    application = join(fixture.folder, 'application');
    await mkdir(join(application, 'acl'), { recursive: true });
  });
  afterEach(() => fixture.close());

  it('is made from the given password, with a role that is full on everything', async () => {
    expect(await make()).to.equal(true);
    const { accounts, roles } = await process();
    const verdict = await accounts.verify('admin@local', password, '192.0.2.1');
    expect('account' in verdict && verdict.account.roles).to.deep.equal(['admin']);
    expect(await roles.list()).to.deep.include({ ...administrator, name: 'Administrator', source: 'first start' });
  });

  it('is not made without a password', async () => {
    const deps = await process();
    const options = { identity: 'admin@local', password: undefined, application };
    expect(await makeFirstAdministrator(options, deps)).to.equal(false);
    expect(await names()).to.deep.equal([]);
    expect(await deps.roles.list()).to.deep.equal([]);
  });

  it('is made once by many processes that start at the same time', async () => {
    const processes = await Promise.all(Array.from({ length: 6 }, process));
    const options = { identity: 'admin@local', password, application };
    const answers = await Promise.all(processes.map((one) => makeFirstAdministrator(options, one)));
    expect(answers).to.deep.equal(Array.from({ length: 6 }, () => true));
    expect(await names()).to.deep.equal(['admin@local']);
  });

  it('keeps its own password, and stays removed or disabled, whatever the secret says later', async () => {
    await make();
    const { accounts } = await process();
    await accounts.change('admin@local', { password: 'chosen by a person' });
    await make('another password of the installation');
    expect('account' in (await accounts.verify('admin@local', 'chosen by a person', '192.0.2.1'))).to.equal(true);
    await accounts.remove('admin@local');
    await make();
    expect(await names()).to.deep.equal([]);
  });

  it('is not made in a store with accounts, be they able to administrate or not', async () => {
    const { accounts, roles } = await process();
    await accounts.create({ identity: 'ann@local', password: 'portico-test' });
    expect(await make()).to.equal(false);
    await roles.put(administrator);
    await accounts.change('ann@local', { roles: ['admin'] });
    expect(await make()).to.equal(true);
    expect(await names()).to.deep.equal(['ann@local']);
    await accounts.remove('ann@local');
    await make();
    expect(await names()).to.deep.equal([]);
  });

  it('is made beside accounts of access files unless one of them can administrate', async () => {
    await writeFile(join(application, 'acl/users.json'), JSON.stringify({ users: [{ id: 'ext', type: 'system' }] }));
    const { accounts } = await process();
    await accounts.create({ identity: 'ext@system', password: 'portico-test' });
    expect(await make()).to.equal(true);
    expect(await names()).to.have.members(['ext@system', 'admin@local']);
  });

  it('does not take an account over that a file brought under the same name', async () => {
    await writeFile(join(application, 'acl/users.json'), JSON.stringify({ users: [{ id: 'admin' }] }));
    const { accounts } = await process();
    await accounts.create({ identity: 'admin@local', password: 'portico-test' });
    expect(await make()).to.equal(false);
    expect('account' in (await accounts.verify('admin@local', 'portico-test', '192.0.2.1'))).to.equal(true);
    expect((await accounts.find('admin@local'))?.roles).to.deep.equal([]);
  });

  it('leaves a role admin of the application as it is, and has all rights by another one', async () => {
    const { accounts, roles } = await process();
    await roles.put({ ...administrator, permissions: { 'c:::record@demo': ['read'] } });
    expect(await make()).to.equal(true);
    expect((await accounts.find('admin@local'))?.roles).to.deep.equal(['administrator']);
    expect((await roles.list()).find(({ id }) => id === 'admin')?.permissions).to.have.keys('c:::record@demo');
  });
});
