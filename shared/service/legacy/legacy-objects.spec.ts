import { expect } from 'chai';
import { openData, identity, type Data } from '../../../test/support/open-data.ts';
import type { Hooks } from '#data/hooks.ts';
import { AppError } from '#errors.ts';
import { createLegacyAcl } from './legacy-acl.ts';
import { createLegacyRepository, LegacyDataRepository, type LegacyRepository } from './legacy-data-repository.ts';
import { LegacyItem } from './legacy-item.ts';
import { createLegacyMetaRepository } from './legacy-meta-repository.ts';
import { LegacyUser } from './legacy-user.ts';
import { createListeners, type LegacyEvent, type Listeners } from './listeners.ts';
import { normalize } from './normalize.ts';

const classes = [
  {
    name: 'town', key: ['id'], caption: 'Town', semantic: 'title',
    properties: [{ name: 'id', type: 0 }, { name: 'title', type: 0 }, { name: 'houses', type: 14, itemsClass: 'house', backRef: 'town' }],
  },
  {
    name: 'house', key: ['id'], caption: 'House', semantic: 'id',
    properties: [
      { orderNumber: 1, name: 'id', type: 0, caption: 'Id' }, { orderNumber: 2, name: 'size', type: 6 }, { orderNumber: 3, name: 'built', type: 9 },
      { orderNumber: 4, name: 'town', type: 13, refClass: 'town' }, { orderNumber: 5, name: 'near', type: 14, itemsClass: 'house' },
      { orderNumber: 6, name: 'lock', type: 11 },
      { orderNumber: 7, name: 'kind', type: 0, selectionProvider: { type: 'SIMPLE', list: [{ key: 'a', value: 'Alpha' }] } },
    ].map((property) => ({ nullable: property.name !== 'id', ...property })),
  },
  { name: 'villa', ancestor: 'house', caption: 'Villa', properties: [{ name: 'pool', type: 10, nullable: true }] },
]; // prettier-ignore

describe('objects of old services', () => {
  let data: Data;
  let repo: LegacyRepository;
  let secured: LegacyRepository;
  let listeners: Listeners;
  const heard: string[] = [];

  beforeEach(async () => {
    // the classes are compiled inside openData, so the listeners, which need them, are put in afterwards
    const hooks: { -readonly [name in keyof Hooks]: Hooks[name] } = {};
    data = await openData(classes, { 'reader@local': { 'c:::town@demo': ['read'] } }, { hooks });
    listeners = createListeners(data.classes);
    Object.assign(hooks, listeners.hooks);
    const make = (repository: Data['repo']) => createLegacyRepository({ repository, classes: data.classes, listeners });
    [repo, secured] = [make(data.repo), make(data.secured)];
    await repo.createItem('town@demo', { id: 't1', title: 'Old Town' });
    await repo.createItem('house@demo', {
      id: 'h1',
      size: 3,
      town: 't1',
      built: new Date('2020-01-02T03:04:05Z'),
      kind: 'a',
      lock: 'pass',
    });
    await repo.createItem('house@demo', { id: 'h2', size: 5, town: 't1' });
    await repo.createItem('villa@demo', { id: 'h3', size: 9, near: ['h1'] });
    heard.length = 0;
  });
  afterEach(() => data.close());

  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'no error',
      (error: { code: unknown }) => error.code,
    );

  it('lists by both notations, unlimited, with total, sort, page and user', async () => {
    const ids = (list: readonly LegacyItem[]) => list.map((item) => item.getItemId());
    expect(ids(await repo.getList('house@demo'))).to.deep.equal(['h1', 'h2', 'h3']);
    expect(ids(await repo.getList('house', { filter: { size: { $gt: 3 } }, sort: { size: -1 } }))).to.deep.equal([
      'h3',
      'h2',
    ]);
    const page = await repo.getList('house', { filter: { gt: ['$size', 1] }, offset: 1, count: '1', countTotal: true });
    expect([ids(page), page.total]).to.deep.equal([['h2'], 3]);
    expect(await repo.getCount('house', { filter: { eq: ['$town', 't1'] } })).to.equal(2);
    expect(ids(await secured.getList('town', { user: new LegacyUser({ id: 'reader@local' }) }))).to.deep.equal(['t1']);
    expect(
      await codeOf(
        secured
          .getList('town', { user: 'nobody@local' })
          .then((list) => Promise.reject(Object.assign(new Error(), { code: list.length }))),
      ),
    ).to.be.oneOf([0, 'data-repo.noperm']);
  });

  it('gives items with everything old code asks of them', async () => {
    const item = (await repo.getItem('house@demo', 'h1', { forceEnrichment: [['town'], ['near']] }))!;
    expect([item.id, item.getClassName(), item.getMetaClass().getCaption(), String(item)]).to.deep.equal([
      'h1',
      'house@demo',
      'House',
      'h1',
    ]);
    expect(item.base['size']).to.equal(3);
    expect(item.get('built')).to.deep.equal(new Date('2020-01-02T03:04:05Z'));
    expect([item.get('town'), item.get('town.title'), item.getAggregate('town')?.id]).to.deep.equal([
      't1',
      'Old Town',
      't1',
    ]);
    expect([item.get('none'), item.property('none'), item.property('constructor')]).to.deep.equal([null, null, null]);
    item.set('size', 4);
    expect([item.get('size'), (await repo.getItem('house', 'h1'))?.get('size')]).to.deep.equal([4, 3]);
    expect((await repo.getItem(item))?.id).to.equal('h1');
    expect(await repo.getItem('house', 'none')).to.equal(null);
    expect((await repo.getItem('house', null, { filter: { size: { $eq: 5 } } }))?.id).to.equal('h2');
    expect(
      (await repo.getItem('town', 't1', { forceEnrichment: ['houses'] }))
        ?.getAggregates('houses')
        ?.map((one) => one.id),
    ).to.deep.equal(['h1', 'h2']);
  });

  it('gives properties by name, class and title first, without passwords', async () => {
    const item = (await repo.getItem('house@demo', 'h1', { forceEnrichment: [['town']] }))!;
    const properties = item.getProperties();
    expect(Object.keys(properties)).to.deep.equal([
      '__class',
      '__classTitle',
      'id',
      'size',
      'built',
      'town',
      'near',
      'lock',
      'kind',
    ]);
    expect(properties['__class']?.getValue()).to.equal('house@demo');
    expect([properties['lock']?.getValue(), item.base['lock']]).to.deep.equal([null, null]);
    const { town, kind, size } = properties;
    expect([
      town?.getType(),
      town?.getValue(),
      town?.getDisplayValue(),
      (town!.evaluate() as LegacyItem).id,
    ]).to.deep.equal([13, 't1', 'Old Town', 't1']);
    expect([kind?.getDisplayValue(), size?.getDisplayValue(), properties['near']?.getDisplayValue()]).to.deep.equal([
      'Alpha',
      '3',
      '',
    ]);
    expect(JSON.stringify(item)).to.not.contain('hash of');
  });

  it('writes with dates, items and keys, and refuses with the old codes', async () => {
    const town = (await repo.getItem('town', 't1'))!;
    const made = await repo.saveItem('house', null, { id: 'h4', town, built: new Date(0) });
    expect(made.get('town')).to.equal('t1');
    expect((await repo.editItem('house', 'h4', { size: 7 })).get('size')).to.equal(7);
    expect((await repo.saveItem('house', 'h4', { size: 8 })).get('size')).to.equal(8);
    await repo.deleteItem('house', 'h4');
    expect(await repo.getItem('house', 'h4')).to.equal(null);
    expect(await codeOf(repo.createItem('house', { id: 'h1' }))).to.equal('data-repo.exists');
    expect(await codeOf(repo.createItem('house', { size: 1 }))).to.equal('data-repo.mr');
    expect(await codeOf(repo.editItem('house', 'none', { size: 1 }))).to.equal('data-repo.inf');
    expect(await codeOf(repo.getList('nothing'))).to.equal('meta-repo.nc');
    expect(await codeOf(secured.createItem('house', { id: 'h9' }, '', null, { user: 'reader@local' }))).to.equal(
      'data-repo.noperm',
    );
  });

  it('works on collections, stored ones and those by back reference', async () => {
    const ids = async (of: LegacyItem, name: string, options = {}) =>
      (await repo.getAssociationsList(of, name, options)).map((one) => one.id);
    const [h3, town, h1, h2] = await Promise.all([repo.getItem('villa', 'h3'), repo.getItem('town', 't1'), repo.getItem('house', 'h1'), repo.getItem('house', 'h2')]); // prettier-ignore
    await repo.put(h3!, 'near', [h2!, h1!]);
    expect(await ids(h3!, 'near')).to.deep.equal(['h1', 'h2']);
    expect(await ids(h3!, 'near', { filter: { size: 5 } })).to.deep.equal(['h2']);
    await repo.eject(h3!, 'near', [h1!]);
    expect(await ids(h3!, 'near')).to.deep.equal(['h2']);
    await repo.eject(town!, 'houses', [h1!]);
    expect(await ids(town!, 'houses')).to.deep.equal(['h2']);
    expect(await repo.getAssociationsCount(town!, 'houses')).to.equal(1);
    await repo.eject(h3!, 'near', [h2!]);
    expect(await ids(h3!, 'near')).to.deep.equal([]);
  });

  it('counts and changes in bulk', async () => {
    const expressions = { all: { count: [] }, sizes: { sum: ['$size'] }, most: { max: '$size' } };
    expect(await repo.aggregate('house', { fields: { town: '$town' }, expressions })).to.have.deep.members([
      { town: 't1', all: 2, sizes: 8, most: 5 },
      { town: null, all: 1, sizes: 9, most: 9 },
    ]);
    expect(await repo.bulkEdit('house', { size: 1 }, { filter: { town: 't1' } })).to.equal(2);
    expect(await repo.bulkDelete('house', { filter: { size: 1 } })).to.equal(2);
    expect(await repo.getCount('house')).to.equal(1);
  });

  it('tells listeners of every write, of ancestors too, and lets pre- listeners add values or refuse', async () => {
    const hear = (event: LegacyEvent) => void heard.push(`${event.type} ${event.id} ${event.user?.id() ?? 'nobody'}`);
    repo.on(['house@demo.create', 'house.edit', 'villa@demo.delete'], hear);
    repo.on('house@demo.pre-create', (event) => ({ size: Number(event.data['size']) * 2 }));
    repo.on('house@demo.pre-edit', ({ item, updates }) => {
      if (updates['size'] === 0) throw Object.assign(new Error(`not ${String(item?.get('size'))} to 0`), { code: 409 });
    });
    expect((await data.repo.create('villa', { id: 'v', size: 2 }, { as: identity('a@local') })).get('size')).to.equal(
      4,
    );
    await repo.editItem('villa', 'v', { pool: true });
    const refused: unknown = await data.repo.edit('villa', 'v', { size: 0 }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(AppError).and.to.include({ status: 409, publicText: 'not 4 to 0' });
    await repo.deleteItem('villa', 'v');
    expect(heard).to.deep.equal([
      'house@demo.create v a@local',
      'house@demo.edit v nobody',
      'villa@demo.delete v nobody',
    ]);
    expect(() => repo.on('house.explode', hear)).to.throw("'house.explode' is not offered here");
  });

  it('wraps data, normalizes items, and says what is not offered', async () => {
    const wrapped = repo.wrap('house', { id: 'w', size: 1 });
    expect([wrapped.id, wrapped.get('size'), wrapped.getClassName()]).to.deep.equal(['w', 1, 'house@demo']);
    const [first] = normalize(await repo.getList('house'), (date) => date.getUTCFullYear()) as Record<
      string,
      unknown
    >[];
    expect(first).to.include({ _id: 'h1', __class: 'house@demo', built: 2020, kind_str: 'Alpha' });
    expect(normalize('text')).to.equal(null);
    expect(repo).to.be.instanceOf(LegacyDataRepository);
    expect(() => (repo as unknown as { ds: unknown }).ds).to.throw("'dataRepo.ds' is not offered here");
  });

  it('describes classes', () => {
    const meta = createLegacyMetaRepository(data.classes, { getMask: () => 'mask' });
    const villa = meta.getMeta('villa@demo');
    expect([
      villa.getName(),
      villa.getNamespace(),
      villa.getAncestor()?.getName(),
      villa.getKeyProperties(),
    ]).to.deep.equal(['villa', 'demo', 'house', ['id']]);
    expect(villa.getPropertyMeta('size')).to.include({ type: 6 });
    expect(villa.getPropertyMetas().map((one) => one['name'])).to.include.members(['id', 'pool']);
    expect([villa.checkAncestor('house')?.getCanonicalName(), villa.checkAncestor('town')]).to.deep.equal([
      'house@demo',
      null,
    ]);
    expect(meta.listMeta('house').map((one) => one.getName())).to.deep.equal(['villa']);
    expect(() => meta.getMeta('nothing'))
      .to.throw()
      .with.property('code', 'meta-repo.nc');
    expect((meta as unknown as { getMask(): string }).getMask()).to.equal('mask');
  });

  it('asks for rights', async () => {
    const acl = createLegacyAcl(data.access);
    expect(await acl.checkAccess('nobody@local', 'c:::town@demo', ['read'])).to.equal(false);
    expect(await acl.getPermissions(null, ['c:::town@demo'])).to.deep.equal({ 'c:::town@demo': {} });
  });
});
