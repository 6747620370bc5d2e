import { expect } from 'chai';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '#log.ts';
import { applyAccessFiles } from './access-files.ts';
import { readAccessFile } from './access-file.ts';
import type { Accounts } from './account.ts';
import { createAccounts } from './accounts.ts';
import { openFixture, type Fixture } from '../../test/support/open-fixture.ts';

const here = '192.0.2.1';
const demo = (more = '') => `users: [{id: demo, type: local, name: Demo, pwd: first, roles: [admin]${more}}]`;

describe('access files', () => {
  let fixture: Fixture;
  let accounts: Accounts;
  let warnings: string[];
  const write = (name: string, text: string) => writeFile(join(fixture.folder, 'acl', name), text);
  const apply = () =>
    applyAccessFiles(fixture.folder, {
      ...fixture.deps,
      accounts,
      putRole: async () => 'created' as const,
      log: { ...silentLog, warn: (text) => warnings.push(text) },
    });
  const signsIn = async (identity: string, password: string) =>
    'account' in (await accounts.verify(identity, password, here));

  beforeEach(async () => {
    fixture = await openFixture();
    accounts = await createAccounts(fixture.deps);
    warnings = [];
    await mkdir(join(fixture.folder, 'acl'));
  });
  afterEach(() => fixture.close());

  it('create what is missing, once', async () => {
    await write('a.yml', demo());
    await write('b.json', JSON.stringify({ id: 'ext', type: 'system', pwd: 'second', properties: { a: 1 } }));
    expect(await apply()).to.include({ created: 2 });
    expect(await accounts.find('demo@local')).to.deep.include({ name: 'Demo', roles: ['admin'] });
    expect(await accounts.find('ext@system')).to.deep.include({ name: 'ext', properties: { a: 1 } });
    expect(await signsIn('demo@local', 'first')).to.equal(true);
    expect(await apply()).to.include({ created: 0, same: 2 });
    expect(warnings).to.deep.equal([]);
  });

  it('update what the file changed and nobody touched, the password only when the file has another', async () => {
    await write('a.yml', demo());
    await apply();
    const before = await accounts.find('demo@local');
    await write('a.yml', demo(', disabled: false, properties: {office: North}'));
    expect(await apply()).to.include({ updated: 1 });
    const after = await accounts.find('demo@local');
    expect(after?.properties).to.deep.equal({ office: 'North' });
    expect(after?.passwordSince).to.equal(before?.passwordSince);
    await write('a.yml', demo().replace('first', 'other'));
    await apply();
    expect([await signsIn('demo@local', 'first'), await signsIn('demo@local', 'other')]).to.deep.equal([false, true]);
  });

  it('leave what was changed in the store, with one warning: a disabled account never comes back', async () => {
    await write('a.yml', demo());
    await apply();
    await accounts.change('demo@local', { disabled: true });
    expect(await apply()).to.include({ same: 1 });
    await write('a.yml', demo().replace('Demo', 'Renamed'));
    expect(await apply()).to.include({ kept: 1 });
    expect(await accounts.find('demo@local')).to.include({ disabled: true, name: 'Demo' });
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.contain('demo@local').and.contain('acl/a.yml').and.not.contain('first');
    expect(await apply()).to.include({ same: 1 });
  });

  it('do not count a renewed hash as a change by hand', async () => {
    const hash = `pbkdf2$10000$${'ab'.repeat(64)}$00ff`;
    await write('a.yml', `users: [{id: demo, pwd: {hash: "${hash}"}}]`);
    await apply();
    await write('a.yml', `users: [{id: demo, pwd: {hash: "${hash}"}, name: New}]`);
    expect(await apply()).to.include({ updated: 1 });
  });

  it('leave a removed account removed, and one made by hand as it is', async () => {
    await write('a.yml', demo());
    await apply();
    await accounts.remove('demo@local');
    await write('a.yml', demo().replace('Demo', 'Back'));
    expect(await apply()).to.include({ kept: 1 });
    expect(await accounts.find('demo@local')).to.equal(undefined);

    await accounts.create({ identity: 'own@local', password: 'mine' });
    await write('a.yml', 'users: [{id: own, pwd: theirs}]');
    expect(await apply()).to.include({ kept: 1 });
    expect(await signsIn('own@local', 'mine')).to.equal(true);
  });

  it('make an account once when two processes start at the same time', async () => {
    await write('a.yml', demo());
    const outcomes = await Promise.all([apply(), apply()]);
    expect(outcomes.map((one) => one.created)).to.have.members([0, 1]);
    await write('a.yml', demo().replace('Demo', 'Later'));
    await apply();
    expect(await accounts.find('demo@local')).to.include({ name: 'Later' });
  });

  it('know their account again when a start was cut off between making and noting it', async () => {
    await write('a.yml', demo());
    let writes = 0;
    const objects = {
      ...fixture.deps.objects,
      write: async (...words: Parameters<typeof fixture.deps.objects.write>) => {
        writes += 1;
        if (writes === 2) throw new Error('killed'); // the first says that the account is to come
        return fixture.deps.objects.write(...words);
      },
    };
    const cutOff = applyAccessFiles(fixture.folder, {
      ...fixture.deps,
      objects,
      accounts,
      putRole: async () => 'same',
    });
    expect(await cutOff.catch((error: Error) => error.message)).to.equal('killed');
    expect(await apply()).to.include({ same: 1 });
    await write('a.yml', demo().replace('Demo', 'Later'));
    expect(await apply()).to.include({ updated: 1 });
  });

  it('keep no password of a file at rest', async () => {
    await write('a.yml', demo().replace('first', 'a-telling-secret'));
    await apply();
    const stored = await fixture.deps.objects.find('_accessFiles', { filter: { op: 'all' }, count: 10 });
    expect(JSON.stringify(stored)).to.not.contain('a-telling-secret');
    expect(stored).to.have.lengthOf(1);
  });

  it('refuse what they do not understand, naming file and place', () => {
    const fault = (text: string) => { try { readAccessFile(text, 'acl/x.yml'); return 'read'; } catch (error) { return (error as Error).message; } }; // prettier-ignore
    expect(fault('users: [{name: x}]')).to.contain('acl/x.yml: users.0.id');
    expect(fault('users: [{id: x, pwd: {hash: "md5$1"}}]')).to.contain('users.0.pwd.hash');
    expect(fault('users: {')).to.contain('acl/x.yml');
    expect(fault('roles: [{id: a, permissions: {"*": full, "c:::x@y": [read, write]}}]\nother: 1')).to.equal('read');
  });
});
