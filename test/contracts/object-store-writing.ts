import { expect } from 'chai';
import type { Doc, Write, Written } from '#stores/object-store.ts';
import type { Opened } from './object-store.ts';
import { thrown } from './thrown.ts';

const insert = (id: string, doc: Doc = {}, collection = 'books'): Write => ({ op: 'insert', collection, id, doc });
const update = (id: string, doc: Doc, more: { expect?: number } = {}): Write => ({
  op: 'update',
  collection: 'books',
  id,
  doc,
  ...more,
});
const upsert = (id: string, doc: Doc, more: { expect?: number } = {}): Write =>
  ({ ...update(id, doc, more), op: 'upsert' }) as Write;
const remove = (id: string, more: { expect?: number } = {}): Write => ({
  op: 'delete',
  collection: 'books',
  id,
  ...more,
});
const isbn = { name: 'isbn', paths: ['isbn'], unique: true };

export function writingContract(opened: () => Opened): void {
  const write = (...writes: readonly Write[]): Promise<readonly Written[]> =>
    opened().store.write(writes, { atomic: true });
  const each = (...writes: readonly Write[]): Promise<readonly Written[]> =>
    opened().store.write(writes, { atomic: false });
  const stored = async (...ids: readonly string[]) => opened().store.get('books', ids);
  const present = async (...ids: readonly string[]) => (await stored(...ids)).map((one) => one?.id);

  it('gives objects in the order of the ids, with undefined for what does not exist', async () => {
    await write(insert('a', { n: 1 }), insert('b', { n: 2 }));
    const b = { id: 'b', revision: 1, doc: { n: 2 } };
    expect(await stored('b', 'x', 'a', 'b')).to.deep.equal([b, undefined, { id: 'a', revision: 1, doc: { n: 1 } }, b]);
    expect(await stored()).to.deep.equal([]);
  });

  it('takes a collection that nobody has prepared for empty', async () => {
    const { store } = opened();
    expect(await store.get('nowhere', ['a'])).to.deep.equal([undefined]);
    expect(await store.find('nowhere', { filter: { op: 'all' }, count: 10 })).to.deep.equal([]);
    expect(await store.count('nowhere', { op: 'all' })).to.equal(0);
    expect(await store.write([{ ...remove('a'), collection: 'nowhere' }], { atomic: true })).to.deep.equal([
      { id: 'a', clash: 'missing' },
    ]);
  });

  it('keeps what JSON can hold', async () => {
    const doc = {
      text: 'Ж "quoted" \\ \u0000 \u2028 👍',
      numbers: [0, -1.5, 1e-7, 123456789012345, 0.1],
      nothing: null,
      yes: true,
      deep: { list: [[], {}, [{ a: null }]] },
      address$city: 'Perm',
      'with.dot': 1,
    };
    await write(insert('Ж/ "id" %', doc));
    expect(await stored('Ж/ "id" %')).to.deep.equal([{ id: 'Ж/ "id" %', revision: 1, doc }]);
  });

  it('keeps an attribute called __proto__ as data', async () => {
    await write(insert('a', JSON.parse('{"__proto__": {"admin": true}}') as Doc));
    const [found] = await stored('a');
    expect(JSON.stringify(found!.doc)).to.equal('{"__proto__":{"admin":true}}');
    expect((found!.doc as { admin?: unknown }).admin).to.equal(undefined);
  });

  it('starts with revision 1 and adds 1 with every write of the object', async () => {
    expect(await write(insert('a'))).to.deep.equal([{ id: 'a', revision: 1 }]);
    expect(await write(update('a', { n: 1 }))).to.deep.equal([{ id: 'a', revision: 2 }]);
    expect(await write(upsert('a', { n: 2 }))).to.deep.equal([{ id: 'a', revision: 3 }]);
    expect(await write(upsert('b', {}))).to.deep.equal([{ id: 'b', revision: 1 }]);
  });

  it('replaces the whole document', async () => {
    await write(insert('a', { n: 1, old: true }));
    await write(update('a', { n: 2 }));
    expect((await stored('a'))[0]!.doc).to.deep.equal({ n: 2 });
    await write(upsert('a', { other: 3 }));
    expect((await stored('a'))[0]!.doc).to.deep.equal({ other: 3 });
  });

  it('does not insert over an object', async () => {
    await write(insert('a', { n: 1 }));
    expect(await write(insert('a', { n: 2 }))).to.deep.equal([{ id: 'a', clash: 'exists' }]);
    expect(await stored('a')).to.deep.equal([{ id: 'a', revision: 1, doc: { n: 1 } }]);
  });

  it('updates and deletes nothing that does not exist', async () => {
    expect(
      await each(update('a', {}), update('a', {}, { expect: 1 }), remove('a'), remove('a', { expect: 1 })),
    ).to.deep.equal(Array.from({ length: 4 }, () => ({ id: 'a', clash: 'missing' })));
    expect(await each(upsert('a', {}, { expect: 1 }))).to.deep.equal([{ id: 'a', clash: 'missing' }]);
    expect(await stored('a')).to.deep.equal([undefined]);
  });

  it('writes only while the expected revision stands', async () => {
    await write(insert('a', { n: 1 }));
    const stale = { id: 'a', clash: 'stale' };
    expect(
      await each(update('a', {}, { expect: 2 }), upsert('a', {}, { expect: 7 }), remove('a', { expect: 0 })),
    ).to.deep.equal([stale, stale, stale]);
    expect(await stored('a')).to.deep.equal([{ id: 'a', revision: 1, doc: { n: 1 } }]);
    expect(await write(update('a', { n: 2 }, { expect: 1 }))).to.deep.equal([{ id: 'a', revision: 2 }]);
    expect(await write(upsert('a', { n: 3 }, { expect: 2 }))).to.deep.equal([{ id: 'a', revision: 3 }]);
    expect(await write(remove('a', { expect: 3 }))).to.deep.equal([{ id: 'a', revision: 3 }]);
    expect(await stored('a')).to.deep.equal([undefined]);
  });

  it('starts again with revision 1 after a delete', async () => {
    await write(insert('a'), update('a', {}), remove('a'));
    expect(await write(insert('a'))).to.deep.equal([{ id: 'a', revision: 1 }]);
  });

  it('answers item by item, in order, across collections, and stores what did not clash', async () => {
    await write(insert('a'));
    const answers = await each(insert('b'), insert('a'), insert('a', {}, 'authors'), update('x', {}), insert('c'));
    expect(answers).to.deep.equal([
      { id: 'b', revision: 1 },
      { id: 'a', clash: 'exists' },
      { id: 'a', revision: 1 },
      { id: 'x', clash: 'missing' },
      { id: 'c', revision: 1 },
    ]);
    expect(await present('a', 'b', 'c', 'x')).to.deep.equal(['a', 'b', 'c', undefined]);
    expect(await opened().store.count('authors', { op: 'all' })).to.equal(1);
  });

  it('stores nothing of an atomic batch in which one write clashes, in no collection', async () => {
    await write(insert('a', { n: 1 }));
    const answers = await write(
      insert('b'),
      insert('n', {}, 'new'),
      update('a', { n: 2 }),
      update('a', {}, { expect: 7 }),
      insert('c'),
    );
    expect(answers).to.have.length(5);
    expect(answers[3]).to.deep.equal({ id: 'a', clash: 'stale' });
    expect(await present('b', 'c')).to.deep.equal([undefined, undefined]);
    expect(await stored('a')).to.deep.equal([{ id: 'a', revision: 1, doc: { n: 1 } }]);
    expect(await opened().store.count('new', { op: 'all' })).to.equal(0);
    expect(await write(insert('n', {}, 'new'))).to.deep.equal([{ id: 'n', revision: 1 }]);
  });

  it('stores an atomic batch over several collections', async () => {
    const answers = await write(insert('a'), insert('a', {}, 'authors'), insert('b'));
    expect(answers.map((one) => 'revision' in one && one.revision)).to.deep.equal([1, 1, 1]);
    expect(await opened().store.count('authors', { op: 'all' })).to.equal(1);
  });

  it('does two writes of one object in their order', async () => {
    expect(
      await write(insert('a', { n: 1 }), update('a', { n: 2 }, { expect: 1 }), upsert('a', { n: 3 })),
    ).to.deep.equal([
      { id: 'a', revision: 1 },
      { id: 'a', revision: 2 },
      { id: 'a', revision: 3 },
    ]);
    expect((await stored('a'))[0]!.doc).to.deep.equal({ n: 3 });
    await each(remove('a'), insert('a', { n: 4 }));
    expect(await stored('a')).to.deep.equal([{ id: 'a', revision: 1, doc: { n: 4 } }]);
  });

  it('keeps batches apart that are written at the same moment: one that clashes does not touch the others', async () => {
    await write(insert('taken'));
    const batches = Array.from({ length: 20 }, (_, n) => write(insert(`a${n}`), insert(n % 2 ? 'taken' : `b${n}`)));
    const answers = await Promise.all(batches);
    expect(answers.map((both) => 'clash' in both[1]!)).to.deep.equal(answers.map((_, n) => n % 2 === 1));
    for (let n = 0; n < 20; n++) expect(await present(`a${n}`)).to.deep.equal([n % 2 ? undefined : `a${n}`]);
  });

  it('answers an empty batch with nothing', async () => {
    expect(await write()).to.deep.equal([]);
    expect(await each()).to.deep.equal([]);
  });

  it('takes a thousand objects at once', async () => {
    const ids = Array.from({ length: 1000 }, (_, n) => `id-${n}`);
    expect(await each(...ids.map((id) => insert(id)))).to.have.length(1000);
    expect(await write(...ids.map((id) => update(id, { n: 1 })))).to.deep.equal(ids.map((id) => ({ id, revision: 2 })));
    expect(await present(...ids)).to.deep.equal(ids);
  });

  describe('unique indexes', () => {
    beforeEach(() => opened().store.prepare([{ name: 'books', indexes: [isbn] }]));

    it('refuse a second object with the value, and are named', async () => {
      await write(insert('a', { isbn: '1' }));
      const clash = { clash: 'unique', index: 'isbn' };
      expect(await write(insert('b', { isbn: '1' }))).to.deep.equal([{ id: 'b', ...clash }]);
      await write(insert('b', { isbn: '2' }));
      expect(await each(update('b', { isbn: '1' }), upsert('c', { isbn: '2' }))).to.deep.equal([
        { id: 'b', ...clash },
        { id: 'c', ...clash },
      ]);
      expect(await stored('b', 'c')).to.deep.equal([{ id: 'b', revision: 1, doc: { isbn: '2' } }, undefined]);
    });

    it('let any number of objects be without a value', async () => {
      expect(await write(insert('a'), insert('b', { isbn: null }), insert('c', { isbn: null }))).to.deep.equal([
        { id: 'a', revision: 1 },
        { id: 'b', revision: 1 },
        { id: 'c', revision: 1 },
      ]);
    });

    it('undo an atomic batch and stop only the one item otherwise', async () => {
      await write(insert('a', { isbn: '1' }));
      expect((await write(insert('b', { isbn: '2' }), insert('c', { isbn: '1' })))[1]).to.include({ clash: 'unique' });
      expect(await present('b', 'c')).to.deep.equal([undefined, undefined]);
      await each(insert('c', { isbn: '1' }), insert('b', { isbn: '2' }));
      expect(await present('b', 'c')).to.deep.equal(['b', undefined]);
    });

    it('free a value with its object, in the same batch too', async () => {
      await write(insert('a', { isbn: '1' }));
      expect(await write(remove('a'), insert('b', { isbn: '1' }))).to.deep.equal([
        { id: 'a', revision: 1 },
        { id: 'b', revision: 1 },
      ]);
    });

    it('over several attributes hold for objects that have them all', async () => {
      await opened().store.prepare([{ name: 'books', indexes: [{ name: 'both', paths: ['x', 'y'], unique: true }] }]);
      await write(
        insert('a', { x: 1, y: 1 }),
        insert('b', { x: 1, y: 2 }),
        insert('c', { x: 1 }),
        insert('d', { x: 1, y: null }),
      );
      expect(await each(insert('e', { x: 1, y: 2 }), insert('f', { x: 1 }), insert('g', { y: 2 }))).to.deep.equal([
        { id: 'e', clash: 'unique', index: 'both' },
        { id: 'f', revision: 1 },
        { id: 'g', revision: 1 },
      ]);
    });

    it('cannot be made over data that clashes; the error names the index and nothing is changed', async () => {
      const { store } = opened();
      await write(insert('a', { code: 1 }), insert('b', { code: 1 }));
      const wanted = [
        { name: 'fresh', indexes: [isbn] },
        { name: 'books', indexes: [{ name: 'by-code', paths: ['code'], unique: true }] },
      ];
      expect(await thrown(store.prepare(wanted))).to.match(/^conflict: .*by-code/);
      await write(insert('c', { isbn: '1' }));
      expect((await write(insert('d', { isbn: '1' })))[0]).to.include({ clash: 'unique' });
    });

    it('no longer hold once they are no longer named', async () => {
      await write(insert('a', { isbn: '1' }));
      await opened().store.prepare([{ name: 'books', indexes: [{ ...isbn, unique: false }] }]);
      expect(await write(insert('b', { isbn: '1' }))).to.deep.equal([{ id: 'b', revision: 1 }]);
      await opened().store.prepare([{ name: 'books', indexes: [] }]);
      expect(await write(insert('c', { isbn: '1' }))).to.deep.equal([{ id: 'c', revision: 1 }]);
    });
  });

  it('prepares again without touching what is there', async () => {
    const { store } = opened();
    const collections = [{ name: 'books', indexes: [isbn, { name: 'sorted', paths: ['address$city', 'n'] }] }];
    await store.prepare(collections);
    await write(insert('a', { isbn: '1' }));
    await Promise.all([store.prepare(collections), store.prepare(collections)]);
    expect(await present('a')).to.deep.equal(['a']);
    expect((await write(insert('b', { isbn: '1' })))[0]).to.include({ clash: 'unique' });
  });

  it('tells collections apart by every letter', async () => {
    await write(insert('a', {}, 'Book@x'), insert('a', {}, 'book@x'), insert('a', {}, 'кни"га`; drop'));
    expect(await opened().store.count('Book@x', { op: 'all' })).to.equal(1);
    expect(await opened().store.count('кни"га`; drop', { op: 'all' })).to.equal(1);
  });
}
