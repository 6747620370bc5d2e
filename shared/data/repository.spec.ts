import { expect } from 'chai';
import { AppError } from '#errors.ts';
import type { Values } from './repository.ts';
import { identity, openData, type Data } from '../../test/support/open-data.ts';

const section = {
  name: 'section',
  caption: 'Section',
  key: ['id'],
  semantic: 'name',
  properties: [
    { name: 'id', type: 6, autoassigned: true, orderNumber: 1 },
    { name: 'name', type: 0, nullable: false, orderNumber: 2 },
  ],
};
const note = {
  name: 'note',
  caption: 'Note',
  key: ['code'],
  semantic: 'title| of |section',
  properties: [
    { name: 'code', type: 12, autoassigned: true, orderNumber: 1 },
    { name: 'title', type: 0, size: 20, orderNumber: 2 },
    { name: 'rank', type: 6, nullable: true, orderNumber: 3 },
    { name: 'price', type: 8, decimals: 2, nullable: true, orderNumber: 4 },
    { name: 'at', type: 9, nullable: true, orderNumber: 5 },
    { name: 'open', type: 10, nullable: true, orderNumber: 6 },
    { name: 'secret', type: 11, nullable: true, orderNumber: 7 },
    { name: 'section', type: 13, refClass: 'section', nullable: true, orderNumber: 8 },
    { name: 'remarks', type: 14, itemsClass: 'remark', backRef: 'note', orderNumber: 9 },
    { name: 'tags', type: 14, itemsClass: 'section', orderNumber: 10 },
    {
      name: 'state',
      type: 0,
      nullable: true,
      orderNumber: 11,
      selectionProvider: {
        type: 'SIMPLE',
        list: [
          { key: 'a', value: 'Alpha' },
          { key: 'b', value: 'Beta' },
        ],
      },
    },
    { name: 'sku', type: 0, nullable: true, unique: true, orderNumber: 12 },
    { name: 'fixed', type: 0, nullable: true, readonly: true, orderNumber: 13 },
    { name: 'double', type: 6, formula: { mul: ['$rank', 2] }, orderNumber: 14 },
    { name: 'kept', type: 6, formula: { add: ['$rank', 1] }, cached: true, orderNumber: 15 },
    { name: 'owner', type: 18, nullable: true, defaultValue: '$$uid', orderNumber: 16 },
  ],
};
const remark = {
  name: 'remark',
  key: ['id'],
  semantic: 'text',
  properties: [
    { name: 'id', type: 6, autoassigned: true },
    { name: 'text', type: 0, nullable: false },
    { name: 'note', type: 13, refClass: 'note', nullable: true },
  ],
};

const faultsOf = async (promise: Promise<unknown>): Promise<readonly string[]> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return [error.code, ...error.faults.map((fault) => `${fault.property ?? ''}:${fault.code}`)];
};

describe('a repository', () => {
  let data: Data;
  beforeEach(async () => {
    data = await openData([section, note, remark]);
  });
  afterEach(() => data.close());

  it('reads back what it wrote, in the public form and order', async () => {
    const as = identity('anna@local');
    await data.repo.create('section', { name: 'News' });
    const made = await data.repo.create(
      'note',
      { title: 'One', rank: '7', price: '1.50', at: '2025-10-03', open: 'true', secret: 'pw', section: 1, state: 'a' },
      { as },
    );
    const read = await data.repo.get('note', made.id);
    const shown = JSON.parse(JSON.stringify(read)) as Record<string, unknown>;
    expect(shown).to.deep.equal({
      _creator: 'anna@local',
      _editor: 'anna@local',
      _id: made.id,
      __string: 'One of News',
      __class: 'note@demo',
      __classTitle: 'Note',
      id: made.id,
      code: made.id,
      title: 'One',
      rank: 7,
      price: 1.5,
      at: '2025-10-03T00:00:00.000Z',
      open: true,
      section: 1,
      remarks: null,
      tags: null,
      state: 'a',
      state_str: 'Alpha',
      sku: null,
      fixed: null,
      double: 14,
      kept: 8,
      owner: 'anna@local',
    });
    expect(Object.keys(shown).slice(0, 7)).to.deep.equal([
      '_creator', '_editor', '_id', '__string', '__class', '__classTitle', 'id',
    ]); // prettier-ignore
    expect(JSON.stringify(made)).to.equal(JSON.stringify(read));
    expect(JSON.stringify(shown)).to.not.contain('hash of');
  });

  it('takes an answer back as it came and changes nothing', async () => {
    await data.repo.create('section', { name: 'News' });
    const made = await data.repo.create('note', { title: 'One', section: 1, tags: [1], fixed: 'x', secret: 'pw' });
    await data.repo.create('remark', { text: 'r', note: made.id });
    for (const eager of [[], [['section'], ['remarks'], ['tags']]]) {
      const before = (await data.repo.get('note', made.id, { eager }))!;
      await data.repo.edit('note', made.id, JSON.parse(JSON.stringify(before)) as Record<string, unknown>);
      const after = (await data.repo.get('note', made.id, { eager }))!;
      expect(after.toJSON()).to.deep.equal(before.toJSON());
      expect(after.doc['secret']).to.equal('hash of 2');
    }
    expect((await data.repo.get('section', '1'))!.revision, 'unchanged nested objects are left alone').to.equal(1);
    expect((await data.repo.get('remark', '1'))!.revision).to.equal(1);
  });

  it('tells all faults of an object together, each with its property', async () => {
    await data.repo.create('note', { code: 'x', title: 't', sku: 's' });
    const bad = {
      title: 'x'.repeat(21),
      rank: 'x',
      price: 1.234,
      at: 'yesterday',
      open: 'yes',
      section: 99,
      state: 'c',
      sku: 's',
      tags: 5,
    };
    expect((await faultsOf(data.repo.create('note', bad))).toSorted()).to.deep.equal(
      ['invalid', 'at:type', 'open:type', 'price:size', 'rank:type', 'section:reference', 'sku:unique', 'state:choice', 'tags:type', 'title:size'].toSorted(),
    ); // prettier-ignore
    expect(await faultsOf(data.repo.create('note', {}))).to.deep.equal(['invalid', 'title:required']);
    expect(await faultsOf(data.repo.create('note', { code: 'x', title: 'again' }))).to.deep.equal([
      'invalid',
      'code:exists',
    ]);
    expect(await faultsOf(data.repo.edit('note', 'x', { title: null }))).to.deep.equal(['invalid', 'title:required']);
    expect(await faultsOf(data.repo.edit('note', 'nobody', { title: 'x' }))).to.deep.equal(['not_found']);
    expect(await faultsOf(data.repo.create('nothing', { title: 'x' }))).to.deep.equal(['not_found']);
  });

  it('keeps read-only attributes after creation, but takes the same value again', async () => {
    await data.repo.create('note', { code: 'x', title: 't', fixed: 'f' });
    expect((await data.repo.edit('note', 'x', { fixed: 'f', title: 'u' })).get('title')).to.equal('u');
    expect(await faultsOf(data.repo.edit('note', 'x', { fixed: 'g' }))).to.deep.equal(['invalid', 'fixed:readonly']);
    expect((await data.repo.edit('note', 'x', { fixed: 'g' }, { unlocked: ['fixed'] })).get('fixed')).to.equal('g');
  });

  it('clears by null, leaves absent properties, refreshes kept formulas', async () => {
    await data.repo.create('note', { code: 'x', title: 't', rank: 1, state: 'a' });
    const edited = await data.repo.edit('note', 'x', { state: null, rank: 5 });
    expect([edited.get('title'), edited.get('state'), edited.get('kept')]).to.deep.equal(['t', null, 6]);
  });

  it('refuses a revision that is past', async () => {
    const made = await data.repo.create('note', { code: 'x', title: 't' });
    await data.repo.edit('note', 'x', { title: 'u' }, { expect: made.revision });
    expect(await faultsOf(data.repo.edit('note', 'x', { title: 'v' }, { expect: made.revision }))).to.deep.equal([
      'stale',
    ]);
    expect(await faultsOf(data.repo.remove('note', 'x', { expect: made.revision }))).to.deep.equal(['stale']);
    await data.repo.remove('note', 'x', { expect: 2 });
    expect(await faultsOf(data.repo.remove('note', 'x'))).to.deep.equal(['not_found']);
  });

  it('loses nothing when many write the same object at once', async () => {
    await data.repo.create('note', { code: 'x', title: 't' });
    const names = ['rank', 'price', 'state', 'sku', 'open', 'at'];
    const values = [1, 2, 'a', 's', true, '2025-01-01T00:00:00.000Z'];
    await Promise.all(names.map((name, place) => data.repo.edit('note', 'x', { [name]: values[place] })));
    const read = (await data.repo.get('note', 'x'))!;
    expect(names.map((name) => read.get(name))).to.deep.equal(values);
    expect(read.revision).to.equal(7);
  });

  it('saves nested objects first, upserts them by key, links ids and replaces the links of collections', async () => {
    const made = await data.repo.create('note', {
      title: 'One',
      section: { name: 'New' },
      tags: [{ name: 'A' }, { name: 'B' }],
      remarks: [{ text: 'first' }, { text: 'second' }],
    });
    const read = async () =>
      (await data.repo.get('note', made.id, { eager: [['section'], ['tags'], ['remarks', 'note']] }))!;
    const shown = (await read()).toJSON() as Record<string, { [name: string]: unknown }[]>;
    expect(shown['tags']!.map((one) => one['name'])).to.deep.equal(['A', 'B']);
    expect(shown['remarks']!.map((one) => [one['text'], one['note']])).to.deep.equal([
      ['first', { _id: made.id }],
      ['second', { _id: made.id }],
    ]);
    await data.repo.edit('note', made.id, {
      section: { id: 1, name: 'Renamed' },
      tags: ['2', 2],
      remarks: [{ id: 2, text: 'changed' }],
    });
    const again = await read();
    expect(again.reference('section')?.get('name')).to.equal('Renamed');
    expect(again.collection('tags')?.map((one) => one.get('id'))).to.deep.equal([2]);
    expect(again.collection('remarks')?.map((one) => one.get('text'))).to.deep.equal(['changed']);
    expect((await data.repo.get('remark', '1'))!.get('note')).to.equal(null);
    expect(await faultsOf(data.repo.edit('note', made.id, { section: { name: 5 }, remarks: [{}] }))).to.deep.equal([
      'invalid',
      'section.name:type',
      'remarks[0].text:required',
    ]);
  });

  it('stores nothing of nested objects when the outer one is refused', async () => {
    const bad = { rank: 'x', section: { name: 'New' } };
    expect(await faultsOf(data.repo.create('note', bad))).to.deep.equal(['invalid', 'rank:type', 'title:required']);
    expect(await data.repo.count('section')).to.equal(0);
  });

  it('lets objects of one batch refer to each other, but not to those that failed', async () => {
    const change = (className: string, values: Values) => ({ op: 'save', className, values }) as const;
    const changes = [
      change('note', { code: 'n1', title: 'ok', section: 71 }),
      change('note', { code: 'n2', title: 'ok', section: 72 }),
      change('section', { id: 71, name: 'later in the batch' }),
      change('section', { id: 72, name: 5 }),
      change('remark', { id: 1, text: 'of one that failed', note: 'n2' }),
    ];
    const outcomes = await data.repo.write(changes, { mode: 'partial' });
    const told = outcomes.map((one) =>
      'error' in one ? one.error.faults.map((fault) => fault.property).join() : 'stored',
    );
    expect(told).to.deep.equal(['stored', 'section', 'stored', 'name', 'note']);
    expect(await data.repo.count('note')).to.equal(1);
    const sound = changes.toSpliced(3, 1, change('section', { id: 72, name: 'sound' }));
    expect((await data.repo.write(sound, { mode: 'atomic' })).every((one) => 'item' in one)).to.equal(true);
  });

  it('stores nothing of an atomic batch that clashes only in the store, and the rest of a partial one', async () => {
    const twins = ['t1', 't2'].map(
      (code) => ({ op: 'create', className: 'note', values: { code, title: 't', sku: 'same' } }) as const,
    );
    const error = await data.repo.write(twins, { mode: 'atomic' }).catch((thrown: unknown) => thrown);
    expect((error as AppError).faults.map(({ index, property, code }) => [index, property, code])).to.deep.equal([
      [1, 'sku', 'unique'],
    ]);
    expect(await data.repo.count('note')).to.equal(0);
    const outcomes = await data.repo.write(twins, { mode: 'partial' });
    expect(outcomes.map((one) => ('error' in one ? one.error.code : one.item.id))).to.deep.equal(['t1', 'invalid']);
    expect(await data.repo.count('note')).to.equal(1);
  });

  it('lists by key, numbers as numbers, in pages and whole', async () => {
    await data.repo.write(
      Array.from({ length: 1203 }, (_, place) => ({
        op: 'create',
        className: 'section',
        values: { name: `n${place % 3}` },
      })),
      { mode: 'atomic' },
    );
    const { items, total } = await data.repo.find('section', { offset: 8, count: 3, total: true });
    expect([items.map((one) => one.get('id')), total]).to.deep.equal([[9, 10, 11], 1203]);
    expect((await data.repo.list('section', { eq: ['$name', 'n1'] })).length).to.equal(401);
    expect((await data.repo.list('section')).at(-1)!.get('id')).to.equal(1203);
    expect((await data.repo.find('section', { query: { nowhere: 'x' }, total: true })).total).to.equal(0);
    const last = await data.repo.find('section', { sort: '-id', count: 1 });
    expect(last.items[0]!.id).to.equal('1203');
  });

  it('never gives a number twice, also after one was given by hand', async () => {
    await data.repo.create('section', { id: 5, name: 'five' });
    expect((await data.repo.create('section', { name: 'next' })).id).to.equal('6');
    const many = await Promise.all(Array.from({ length: 20 }, () => data.repo.create('section', { name: 'n' })));
    expect(new Set(many.map((one) => one.id)).size).to.equal(20);
  });

  it('lets keys that lack a value be a fault', async () => {
    const bare = { name: 'bare', key: ['a', 'b'], properties: [{ name: 'a', type: 0 }, { name: 'b', type: 6 }] }; // prettier-ignore
    const other = await openData([bare]);
    expect(await faultsOf(other.repo.create('bare', { a: 'x' }))).to.deep.equal(['invalid', 'b:required']);
    expect((await other.repo.create('bare', { a: 'x', b: 2 })).id).to.equal('x_2');
    await other.close();
  });
});
