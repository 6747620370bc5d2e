import { expect } from 'chai';
import { AppError } from '#errors.ts';
import type { Item } from './repository.ts';
import { identity, openData, type Data } from '../../test/support/open-data.ts';

const author = { name: 'author', key: ['id'], semantic: 'name', properties: [{ name: 'id', type: 0 }, { name: 'name', type: 0 }] }; // prettier-ignore
const book = {
  name: 'book',
  key: ['id'],
  semantic: 'title| by |author',
  properties: [
    { name: 'id', type: 0 },
    { name: 'title', type: 0 },
    { name: 'author', type: 13, refClass: 'author', nullable: true },
    { name: 'pages', type: 14, itemsClass: 'page', backRef: 'book' },
    { name: 'related', type: 14, itemsClass: 'book' },
    { name: 'authorName', type: 0, formula: { upper: ['$author.name'] } },
  ],
};
const comic = { name: 'comic', ancestor: 'book', properties: [{ name: 'artist', type: 0, nullable: true }] };
const page = { name: 'page', key: ['id'], properties: [{ name: 'id', type: 0 }, { name: 'text', type: 0, nullable: true }, { name: 'book', type: 13, refClass: 'book', nullable: true }] }; // prettier-ignore

const rights = {
  'reader@local': { 'c:::book@demo': ['read'] },
  'writer@local': { 'c:::book@demo': ['read', 'write', 'use', 'delete'] },
  'single@local': { 'i:::book@demo@b1': ['read', 'write'], 'i:::page@demo@p1': ['read'] },
  'comics@local': { 'c:::comic@demo': ['read', 'write'] },
  'slot@local': { 'i:::book@demo@slot': ['use'] },
  'poster@local': { 'c:::book@demo': ['use', 'write'] },
  'all@local': { '*': ['full'] },
};
const [reader, writer, single, comics, slot, poster, all] = Object.keys(rights).map((id) => identity(id));
const nobody = undefined;

const refused = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'allowed',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
const ids = (items: readonly Item[]) => items.map((item) => item.id);

describe('a secured repository', () => {
  let data: Data;
  before(async () => {
    data = await openData([author, book, comic, page], rights);
    await data.repo.create('author', { id: 'a1', name: 'Secret Name' });
    await data.repo.create('book', { id: 'b1', title: 'One', author: 'a1' });
    await data.repo.create('book', { id: 'b2', title: 'Two', author: 'a1', related: ['b1'] });
    await data.repo.create('comic', { id: 'c1', title: 'Drawn', author: 'a1' });
    await data.repo.create('page', { id: 'p1', text: 'x', book: 'b1' });
    await data.repo.create('page', { id: 'p2', text: 'y', book: 'b1' });
  });
  after(() => data.close());

  it('gives lists, counts and totals only what the caller may read', async () => {
    expect(ids(await data.secured.list('book', null, reader))).to.deep.equal(['b1', 'b2', 'c1']);
    expect(ids(await data.secured.list('book', null, single))).to.deep.equal(['b1']);
    expect(ids(await data.secured.list('book', null, comics))).to.deep.equal(['c1']);
    expect(await data.secured.count('book', null, comics)).to.equal(1);
    const { items, total } = await data.secured.find('book', { count: 1, total: true }, comics);
    expect([ids(items), total]).to.deep.equal([['c1'], 1]);
    expect(await refused(data.secured.list('author', null, reader))).to.equal('forbidden');
    expect(await refused(data.secured.count('book', null, nobody))).to.equal('forbidden');
    expect(await refused(data.secured.find('book', { query: { nowhere: '1' } }, nobody))).to.equal('forbidden');
  });

  it('refuses a single object by its own class, the same whether it exists or not', async () => {
    expect((await data.secured.get('book', 'c1', {}, comics))?.id).to.equal('c1');
    expect(await refused(data.secured.get('book', 'b1', {}, comics))).to.equal('forbidden');
    expect(await refused(data.secured.get('book', 'none', {}, comics))).to.equal('forbidden');
    expect(await data.secured.get('book', 'none', {}, reader)).to.equal(undefined);
    expect(await data.secured.get('comic', 'b1', {}, reader), 'an object of another branch').to.equal(undefined);
  });

  it('does not load what the caller may not read, in references, collections and titles', async () => {
    const eager = [['author'], ['pages'], ['related']];
    const shown = JSON.stringify(await data.secured.get('book', 'b1', { eager }, single));
    expect(JSON.parse(shown)).to.deep.include({ author: 'a1', __string: 'One by a1' });
    expect((JSON.parse(shown) as { pages: { id: string }[] }).pages.map((one) => one.id)).to.deep.equal(['p1']);
    const two = await data.secured.get('book', 'b2', { eager }, all);
    expect(JSON.stringify(two)).to.contain('Two by Secret Name');
    expect(two?.reference('author')?.get('name')).to.equal('Secret Name');
    expect(
      shown.replace('"authorName":"SECRET NAME"', ''),
      'only the formula, which the class answers for',
    ).to.not.match(/secret/i);
  });

  it('lets no filter look into objects that the caller may not read', async () => {
    const probe = { eq: ['$author.name', 'Secret Name'] };
    expect(ids(await data.secured.list('book', probe, all))).to.deep.equal(['b1', 'b2', 'c1']);
    expect(await data.secured.list('book', probe, reader)).to.deep.equal([]);
    expect(
      ids(await data.secured.list('book', { contains: ['$pages', { eq: ['$text', 'x'] }] }, single)),
    ).to.deep.equal(['b1']);
    expect(await data.secured.list('book', { contains: ['$pages', { eq: ['$text', 'y'] }] }, single)).to.deep.equal([]);
    expect((await data.secured.find('book', { query: { 'author.name': 'Secret Name' } }, reader)).items).to.deep.equal(
      [],
    );
  });

  it('refuses writes without the right before all else', async () => {
    expect(await refused(data.secured.create('book', { id: 5 }, { as: reader! }))).to.equal('forbidden');
    expect(await refused(data.secured.edit('book', 'b1', { title: 5 }, { as: reader! }))).to.equal('forbidden');
    expect(await refused(data.secured.edit('book', 'none', { title: 'x' }, { as: reader! }))).to.equal('forbidden');
    expect(await refused(data.secured.edit('book', 'none', { title: 'x' }, { as: writer! }))).to.equal('not_found');
    expect(await refused(data.secured.remove('book', 'b1', { as: single! }))).to.equal('forbidden');
    expect(await refused(data.secured.remove('book', 'none', { as: single! }))).to.equal('forbidden');
    expect(await refused(data.secured.edit('book', 'c1', { artist: 'x' }, { as: comics! }))).to.equal('allowed');
    expect(await refused(data.secured.edit('book', 'b2', { title: 'x' }, { as: comics! }))).to.equal('forbidden');
    expect(await refused(data.secured.save('book', 'b9', { title: 'x' }, { as: single! }))).to.equal('forbidden');
    expect(await refused(data.secured.save('book', 'b1', { title: 'One' }, { as: single! }))).to.equal('allowed');
    expect(await refused(data.secured.edit('book', 'b1', { title: 'x' }))).to.equal('forbidden');
  });

  it('checks nested objects on their own classes, and stores nothing then', async () => {
    const nested = { id: 'b3', title: 'T', author: { id: 'a2', name: 'New' } };
    expect(await refused(data.secured.create('book', nested, { as: writer! }))).to.equal('forbidden');
    expect(
      await refused(data.secured.edit('book', 'b1', { author: { _id: 'a1', name: 'Renamed' } }, { as: writer! })),
    ).to.equal('forbidden');
    expect(await refused(data.secured.edit('book', 'b1', { pages: ['p2'] }, { as: writer! }))).to.equal('forbidden');
    expect(await data.repo.get('book', 'b3')).to.equal(undefined);
    expect((await data.repo.get('author', 'a1'))!.get('name')).to.equal('Secret Name');
    expect((await data.repo.get('page', 'p1'))!.get('book')).to.equal('b1');
    expect(
      await refused(data.secured.edit('book', 'b1', { author: { _id: 'a1', id: 'a1' } }, { as: writer! })),
    ).to.equal('allowed');
  });

  it('checks the right to create on the key that the object gets, not on another one that was named', async () => {
    expect(await refused(data.secured.save('book', 'slot', { id: 'b7', title: 'x' }, { as: slot! }))).to.equal(
      'forbidden',
    );
    expect(await data.repo.get('book', 'b7')).to.equal(undefined);
    expect(await refused(data.secured.save('book', 'slot', { title: 'x' }, { as: slot! }))).to.equal('allowed');
    await data.repo.remove('book', 'slot');
  });

  it('tells nobody by what stays unchanged which values an object has that he may not read', async () => {
    for (const name of ['Secret Name', 'Wrong Guess']) {
      const guess = { author: { _id: 'a1', id: 'a1', name } };
      expect(await refused(data.secured.edit('book', 'b1', guess, { as: writer! })), name).to.equal('forbidden');
    }
    const same = (text: string) => ({ pages: [{ _id: 'p1', text }, 'p2'] });
    await data.repo.edit('page', 'p2', { book: 'b1' });
    expect(await refused(data.secured.edit('book', 'b1', same('x'), { as: single! }))).to.equal('forbidden');
    await data.repo.edit('page', 'p2', { book: null });
    const seen = { pages: [{ _id: 'p1', text: 'x' }] };
    expect(await refused(data.secured.edit('book', 'b1', seen, { as: single! })), 'may read it').to.equal('allowed');
    await data.repo.edit('page', 'p2', { book: 'b1' });
  });

  it('answers a writer who may not read with no more than was sent', async () => {
    const answer = await data.secured.edit('book', 'b2', { title: 'Two' }, { as: poster! });
    expect(answer.toJSON()).to.deep.include({ id: 'b2', title: 'Two', author: null });
    expect(JSON.stringify(answer)).to.not.match(/secret/i);
  });

  it('refuses a whole atomic batch for one missing right, a partial one only there', async () => {
    const changes = ['b1', 'b2'].map(
      (id) => ({ op: 'edit', className: 'book', id, values: { title: `by ${id}` } }) as const,
    );
    const error = await data.secured.write(changes, { as: single!, mode: 'atomic' }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(AppError).with.property('code', 'forbidden');
    expect((error as AppError).faults.map((fault) => fault.index)).to.deep.equal([1]);
    expect((await data.repo.get('book', 'b1'))!.get('title')).to.equal('One');
    const outcomes = await data.secured.write(changes, { as: single!, mode: 'partial' });
    expect(outcomes.map((one) => ('error' in one ? one.error.code : one.item.get('title')))).to.deep.equal([
      'by b1',
      'forbidden',
    ]);
  });

  it('asks guards too: in lists, reads and writes', async () => {
    const guarded = await openData([author, book, comic, page], rights, {
      guards: [
        {
          filter: async () => ({ op: 'not', part: { op: 'eq', path: 'title', value: 'Locked' } }),
          refuses: async (attempts) => attempts.map(({ object }) => object.doc['title'] === 'Locked'),
        },
      ],
    });
    await guarded.repo.create('book', { id: 'b1', title: 'Locked' });
    await guarded.repo.create('book', { id: 'b2', title: 'Open' });
    expect(ids(await guarded.secured.list('book', null, writer))).to.deep.equal(['b2']);
    expect(await refused(guarded.secured.get('book', 'b1', {}, writer))).to.equal('forbidden');
    expect(await refused(guarded.secured.edit('book', 'b1', { title: 'x' }, { as: writer! }))).to.equal('forbidden');
    expect(await refused(guarded.secured.edit('book', 'b2', { title: 'x' }, { as: writer! }))).to.equal('allowed');
    await guarded.close();
  });

  it('holds a change of roles at once', async () => {
    const own = await openData([author, book, comic, page], rights);
    expect(await refused(own.secured.list('book', null, reader))).to.equal('allowed');
    await own.roles.remove('reader@local');
    await new Promise((done) => setTimeout(done, 300));
    expect(await refused(own.secured.list('book', null, reader))).to.equal('forbidden');
    await own.close();
  });
});
