import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { silentLog } from '#log.ts';
import { openSqliteStores } from '#stores/sqlite/index.ts';
import type { Stores } from '#stores/stores.ts';
import { createAccess } from './access.ts';
import { createRoles, rolesCollection, type Roles } from './roles.ts';

describe('access', () => {
  let folder: string;
  let stores: Stores;
  let roles: Roles;
  const granted: Record<string, readonly string[]> = { 'ann@local': ['editor'], 'twin@ad': ['admin'] };
  const rolesOf = async (identity: string) => granted[identity] ?? [];
  const open = (more = {}) => createAccess({ roles, rolesOf, log: silentLog, ...more });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-access-'));
    stores = await openSqliteStores(folder, silentLog);
    await stores.objects.prepare([{ name: rolesCollection, indexes: [] }]);
    roles = createRoles(stores.objects, stores.bus);
    await roles.put({ id: '*', name: 'Everybody', permissions: { 'n:::news': ['read'] } });
    await roles.put({ id: 'editor', name: 'Editor', permissions: { 'n:::edit': ['use'] } });
    await roles.put({ id: 'admin', name: 'Admin', permissions: { '*': ['full'] } });
  });
  afterEach(async () => {
    await stores.close();
    await rm(folder, { recursive: true });
  });

  it('gives everybody what * has, and an identity what its roles have', async () => {
    const access = open();
    const [nobody, ann, stranger] = await Promise.all(
      [null, 'ann@local', 'x@local'].map((one) => access.rightsOf(one)),
    );
    expect([nobody, ann, stranger].map((one) => one!.may('read', 'n:::news'))).to.deep.equal([true, true, true]);
    expect([nobody, ann, stranger].map((one) => one!.may('use', 'n:::edit'))).to.deep.equal([false, true, false]);
    access.close();
  });

  it('adds the identities that providers find, with their roles; a provider that fails adds nothing', async () => {
    const twin = open({ providers: [async (identity: string) => (identity === 'ann@local' ? ['twin@ad'] : [])] });
    expect((await twin.rightsOf('ann@local')).may('delete', 'n:::x')).to.equal(true);
    expect((await twin.rightsOf('x@local')).may('delete', 'n:::x')).to.equal(false);
    const failing = open({ providers: [async () => Promise.reject(new Error('no map'))] });
    const rights = await failing.rightsOf('ann@local');
    expect([rights.may('use', 'n:::edit'), rights.may('delete', 'n:::x')]).to.deep.equal([true, false]);
    twin.close();
    failing.close();
  });

  it('forgets what was cached when a role changes, here and in another process', async () => {
    const others = await openSqliteStores(folder, silentLog);
    const access = open();
    const elsewhere = createAccess({ roles: createRoles(others.objects, others.bus), rolesOf, log: silentLog });
    const may = async () =>
      Promise.all([access, elsewhere].map(async (one) => (await one.rightsOf('ann@local')).may('use', 'n:::new')));
    expect(await may()).to.deep.equal([false, false]);
    await roles.put({ id: 'editor', name: 'Editor', permissions: { 'n:::new': ['use'] } });
    await wait(900);
    expect(await may()).to.deep.equal([true, true]);
    await roles.remove('editor');
    await wait(900);
    expect(await may()).to.deep.equal([false, false]);
    expect(await access.isNamed('n:::news')).to.equal(true);
    elsewhere.close();
    access.close();
    await others.close();
  });

  it('reads roles again after a while even without news, and fails closed when it cannot', async () => {
    const time = { now: 0 };
    const access = open({ clock: () => time.now, maxAge: 1000 });
    await access.rightsOf(null);
    await stores.objects.write([{ op: 'delete', collection: rolesCollection, id: '*' }], { atomic: true });
    expect((await access.rightsOf(null)).may('read', 'n:::news')).to.equal(true);
    time.now = 1001;
    expect((await access.rightsOf(null)).may('read', 'n:::news')).to.equal(false);
    access.close();
    const broken = createAccess({
      roles: { list: () => Promise.reject(new Error('away')), onChange: () => () => {} },
      rolesOf,
      log: silentLog,
    });
    expect(await broken.rightsOf('ann@local').catch((error: Error) => error.message)).to.equal('away');
    const lost = open({ rolesOf: () => Promise.reject(new Error('accounts away')) });
    expect(await lost.rightsOf('ann@local').catch((error: Error) => error.message)).to.equal('accounts away');
    lost.close();
  });

  it('takes a role from a file once per content, and never over a change made in the store', async () => {
    const role = (permissions: Record<string, string[]>) => ({ id: 'r', name: 'R', permissions });
    expect(await roles.putRole(role({ a: ['read'] }), 'acl/a.yml')).to.equal('created');
    expect(await roles.putRole(role({ a: ['read'] }), 'acl/a.yml')).to.equal('same');
    expect(await roles.putRole(role({ a: ['write'] }), 'acl/a.yml')).to.equal('updated');
    expect(await roles.putRole(role({ b: ['read'] }), 'acl/b.yml')).to.equal('updated');
    expect(await roles.putRole(role({ a: ['write'] }), 'acl/a.yml'), 'the earlier file did not change').to.equal(
      'same',
    );
    await roles.put(role({ mine: ['full'] }));
    expect(await roles.putRole(role({ a: ['use'] }), 'acl/a.yml')).to.equal('kept');
    expect(await roles.putRole(role({ a: ['use'] }), 'acl/a.yml'), 'told once').to.equal('same');
    const [found] = (await roles.list()).filter((one) => one.id === 'r');
    expect(found).to.deep.equal(role({ mine: ['full'] }));
  });
});
