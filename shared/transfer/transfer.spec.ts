import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { AppError } from '#errors.ts';
import type { Doc } from '#stores/object-store.ts';
import { openData, type Data } from '../../test/support/open-data.ts';
import { bodyOf, exportText, importText, linesOf } from '../../test/support/transfer.ts';

const classes = [
  {
    name: 'book',
    key: ['id'],
    creationTracker: 'made',
    properties: [
      { name: 'id', type: 0, autoassigned: true },
      { name: 'number', type: 6, autoassigned: true, nullable: true },
      { name: 'title', type: 0, nullable: true },
      { name: 'isbn', type: 0, nullable: true, unique: true },
      { name: 'cover', type: 5, nullable: true },
      { name: 'pages', type: 110, nullable: true },
      { name: 'pin', type: 11, nullable: true },
      { name: 'made', type: 9, nullable: true },
      { name: 'next', type: 13, refClass: 'book', nullable: true },
    ],
  },
  { name: 'atlas', ancestor: 'book', properties: [{ name: 'scale', type: 6, nullable: true }] },
  { name: 'shelf', key: ['id'], properties: [{ name: 'id', type: 0 }] },
];
const file = (body: string, name = 'a.txt') => ({
  name,
  mime: 'text/plain',
  body: Buffer.from(body).toString('base64'),
});
const object = (id: string, doc: Doc = {}, more: object = {}) =>
  `${JSON.stringify({ kind: 'object', class: 'shelf@demo', id, doc: { id, ...doc }, ...more })}\n`;
const header = `${JSON.stringify({ kind: 'header', format: 1, id: 'x', namespace: 'demo' })}\n`;
const end = `${JSON.stringify({ kind: 'end', counters: {} })}\n`;
const refusal = (error: AppError): string => `${error.code}: ${error.publicText}`;

describe('moving data', () => {
  let from: Data;
  let to: Data;
  beforeEach(async () => {
    [from, to] = [await openData(classes), await openData(classes)];
  });
  afterEach(async () => {
    await from.close();
    await to.close();
  });
  const account = (id: string, passwordHash: string): Doc => ({ login: id, name: id, disabled: false, needPasswordReset: false, roles: ['r'], properties: {}, passwordHash, created: 5, passwordSince: 6 }); // prettier-ignore
  const hash = 'pbkdf2$10000$aabb$ccdd';
  const putAccount = (data: Data, id: string, passwordHash: string) =>
    data.stores.objects.write([{ op: 'upsert', collection: '_accounts', id, doc: account(id, passwordHash) }], { atomic: true }); // prettier-ignore
  const inStore = async (data: Data, collection: string, id: string) => (await data.stores.objects.get(collection, [id]))[0]; // prettier-ignore

  it('gives the same bytes when it is exported, imported and exported again, whatever the objects hold', async () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((one) => !one.includes('\0'));
    const value: fc.Arbitrary<Doc[string]> = fc.letrec<{ any: Doc[string] }>((tie) => ({
      any: fc.oneof({ depthSize: 'small' }, word, fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0), fc.boolean(), fc.constant(null), fc.array(tie('any'), { maxLength: 3 }), fc.dictionary(word, tie('any'), { maxKeys: 3, noNullPrototype: true })), // prettier-ignore
    })).any;
    const one = fc.record({
      id: word.filter((id) => id !== ''),
      doc: fc.dictionary(word, value, { maxKeys: 4, noNullPrototype: true }),
      writes: fc.integer({ min: 1, max: 3 }),
      content: fc.option(fc.uint8Array({ maxLength: 100 }), { nil: undefined }),
    });
    const clear = async (data: Data, ids: readonly string[]) =>
      data.stores.objects.write(
        ids.map((id) => ({ op: 'delete', collection: 'book@demo', id }) as const),
        { atomic: true },
      );
    const list = fc.uniqueArray(one, { selector: ({ id }) => id, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(list, fc.nat(), async (objects, last) => {
        for (const { id, doc, writes, content } of objects) {
          const kept = content && (await from.stores.files.put(Readable.from([content]), 1000));
          const cover = kept ? { ...kept, name: 'x', type: 'text/plain' } : null;
          const full = { ...doc, _class: 'atlas@demo', isbn: id, cover };
          const write = { op: 'upsert', collection: 'book@demo', id, doc: full } as const;
          for (let n = 0; n < writes; n++) await from.stores.objects.write([write], { atomic: true });
        }
        await from.stores.objects.raise('sequence.invoice', last);
        const first = await exportText(from);
        expect((await importText(to, first.text)).faults).to.deep.equal([]);
        const second = await exportText(to);
        expect(bodyOf(second.text)).to.equal(bodyOf(first.text));
        expect(second.counts).to.deep.equal(first.counts).and.deep.include({ objects: objects.length, missing: 0 });
        const ids = objects.map(({ id }) => id);
        await Promise.all([clear(from, ids), clear(to, ids)]);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps keys, revisions, editors, trackers, references, files and counters', async () => {
    const big = 'x'.repeat(500_000);
    const a = await from.repo.create('atlas', { title: 'A', cover: file(big), pages: [file('1'), file('2', 'b.txt')] });
    await from.repo.create('book', { title: 'B', next: a.id, cover: file(big) });
    const b = await from.repo.edit('atlas', a.id, { scale: 7 });
    const { text, counts } = await exportText(from);
    expect(counts).to.deep.equal({ objects: 2, files: 3, accounts: 0, roles: 0, missing: 0 });
    expect((await importText(to, text)).counts).to.deep.include({ created: 2, files: 3, faults: 0 });
    expect(await inStore(to, 'book@demo', a.id)).to.deep.equal(await inStore(from, 'book@demo', a.id));
    expect((await inStore(to, 'book@demo', a.id))?.revision).to.equal(2);
    const moved = (await to.repo.get('atlas', a.id))!;
    expect(moved.toJSON()).to.deep.equal(b.toJSON());
    const { hash: content } = moved.doc['cover'] as { hash: string };
    expect(await textOf((await to.stores.files.open(content))!)).to.equal(big);
    expect((await to.repo.create('book', {})).doc['number']).to.equal(3);
  });

  it('lets counters go on above imported numbers also where the file says nothing of them', async () => {
    const line = `${JSON.stringify({ kind: 'object', class: 'book@demo', id: 'a', doc: { id: 'a', number: 41 } })}\n`;
    await importText(to, header + line + end);
    expect((await to.repo.create('book', {})).doc['number']).to.equal(42);
  });

  it('takes accounts and roles when asked; password hashes when asked; never tokens, sessions and their like', async () => {
    await putAccount(from, 'ann@local', hash);
    await from.roles.put({ id: 'r', name: 'R', permissions: { '*': ['read'] } });
    await from.repo.create('book', { id: 'a', pin: 'secret' });
    await from.stores.state.put('token', 'sensitive', 60_000);
    const plain = (await exportText(from, { accounts: false, hashes: false })).text;
    expect(plain).to.not.match(/ann@local|passwordHash|hash of|sensitive|"role"/);
    const people = (await exportText(from, { hashes: false })).text;
    expect(people)
      .to.match(/ann@local/)
      .and.not.match(/pbkdf2|hash of|sensitive/);
    const whole = (await exportText(from)).text;
    expect(whole).to.include(hash).and.include('hash of 6').and.not.include('sensitive');

    const heard: string[] = [];
    to.stores.bus.subscribe('accounts.changed', (id) => heard.push(id));
    to.stores.bus.subscribe('access.roles', (id) => heard.push(id));
    expect((await importText(to, whole)).counts).to.deep.include({ created: 3, accounts: 1, roles: 1 });
    expect(heard.toSorted()).to.deep.equal(['ann@local', 'r']);
    expect((await inStore(to, '_accounts', 'ann@local'))?.doc).to.deep.equal(account('ann@local', hash));
    expect((await to.roles.list()).map(({ id, permissions }) => ({ id, permissions }))).to.deep.equal([{ id: 'r', permissions: { '*': ['read'] } }]); // prettier-ignore
  });

  it('leaves the passwords that are here when the file has none', async () => {
    for (const data of [from, to]) await putAccount(data, 'ann@local', data === to ? hash : 'pbkdf2$1$ab$cd');
    for (const data of [from, to]) await data.repo.create('book', { id: 'a', pin: data === to ? 'mine' : 'another', title: data === to ? 'T' : 'F' }); // prettier-ignore
    await putAccount(from, 'new@local', hash);
    await importText(to, (await exportText(from, { hashes: false })).text, { mode: 'replace' });
    expect((await inStore(to, '_accounts', 'ann@local'))?.doc['passwordHash']).to.equal(hash);
    expect((await inStore(to, '_accounts', 'new@local'))?.doc['passwordHash']).to.equal('');
    expect((await inStore(to, 'book@demo', 'a'))?.doc).to.deep.include({ title: 'F', pin: 'hash of 4' });
  });

  it('leaves accounts out when told so', async () => {
    await putAccount(from, 'ann@local', hash);
    expect((await importText(to, (await exportText(from)).text, { accounts: false })).counts.created).to.equal(0);
    expect(await inStore(to, '_accounts', 'ann@local')).to.equal(undefined);
  });

  it('chooses classes with their descendants, and objects by filter, on both ways', async () => {
    await from.repo.create('book', { id: 'b', title: 'one', cover: file('b') });
    await from.repo.create('atlas', { id: 'a', title: 'two', next: 'b' });
    await from.repo.create('shelf', { id: 's' });
    await putAccount(from, 'ann@local', hash);
    const ids = (text: string) => linesOf(text).flatMap(({ kind, id }) => (kind === 'object' ? [id] : []));
    const chosen = async (...options: Parameters<typeof exportText>[1][]) => ids((await exportText(from, { accounts: false, ...options[0] })).text); // prettier-ignore
    expect(await chosen({ classes: ['book'] })).to.deep.equal(['a', 'b']);
    expect(await chosen({ classes: ['atlas', 'shelf'] })).to.deep.equal(['a', 's']);
    expect(await chosen({ classes: ['book', 'atlas'], filter: { eq: ['$title', 'two'] } })).to.deep.equal(['a']);
    expect(await chosen({ classes: ['book'], filter: { 'next.title': 'one' } })).to.deep.equal(['a']);
    const { text } = await exportText(from);
    await importText(to, text, { classes: ['atlas'], filter: { title: 'two' } });
    expect(ids((await exportText(to)).text)).to.deep.equal(['a']);
    expect(await inStore(to, '_accounts', 'ann@local')).to.equal(undefined);
    const failed = (options: object) => importText(to, text, options).catch(refusal);
    expect(await failed({ classes: ['book'], filter: { 'next.title': 'one' } })).to.match(
      /^bad_request: .*cannot reach/,
    );
    expect(await failed({ classes: ['nothing'] })).to.equal('bad_request: There is no class nothing that has objects');
  });

  it('counts what is the same; other content is a fault, stays or is replaced', async () => {
    const text = header + object('same') + object('other', { n: 2 }) + end;
    await importText(to, header + object('same') + object('other', { n: 1 }) + end);
    const failed = await importText(to, text);
    expect(failed.counts).to.deep.include({ created: 0, same: 1, faults: 1 });
    expect(failed.faults).to.deep.equal([{ line: 3, kind: 'object', class: 'shelf@demo', id: 'other', code: 'exists', message: 'is there with other content' }]); // prettier-ignore
    expect((await importText(to, text, { mode: 'skip' })).counts).to.deep.include({ same: 1, skipped: 1, faults: 0 });
    expect(await inStore(to, 'shelf@demo', 'other')).to.deep.include({ revision: 1, doc: { id: 'other', n: 1 } });
    expect((await importText(to, text, { mode: 'replace' })).counts).to.deep.include({
      same: 1,
      replaced: 1,
      faults: 0,
    });
    expect(await inStore(to, 'shelf@demo', 'other')).to.deep.include({ revision: 2, doc: { id: 'other', n: 2 } });
    expect((await inStore(to, 'shelf@demo', 'same'))?.revision).to.equal(1);
  });

  it('says in a dry run what would happen, and stores nothing', async () => {
    await importText(to, header + object('there', { n: 1 }) + end);
    const before = bodyOf((await exportText(to)).text);
    const text = header + object('there', { n: 2 }) + object('new', {}, { revision: 3 }) + end;
    expect((await importText(to, text, { dryRun: true, mode: 'replace' })).counts).to.deep.include({ created: 1, replaced: 1 }); // prettier-ignore
    expect(bodyOf((await exportText(to)).text)).to.equal(before);
    expect((await importText(to, text, { mode: 'replace' })).resumedAfter).to.equal(undefined);
  });

  it('reports each line that cannot be taken, and takes all others', async () => {
    const book = (id: string, doc: object) => `${JSON.stringify({ kind: 'object', class: 'book@demo', id, doc: { id, ...doc } })}\n`; // prettier-ignore
    const people = (id: string, doc: object) => `${JSON.stringify({ kind: 'account', id, doc })}\n`;
    const lines = [
      object('good'), // 2
      'not json\n',
      '[]\n',
      `${JSON.stringify({ kind: 'other', id: 'x' })}\n`,
      object('', {}),
      object('x', {}, { doc: [] }),
      object('x', {}, { class: 'nothing@demo' }), // 8
      object('x', { _class: 'book@demo' }, { class: 'atlas@demo' }),
      book('a', { isbn: '1' }),
      book('b', { isbn: '1' }), // 11
      book('c', { cover: { hash: 'a'.repeat(64), name: 'x', size: 1, type: 'text/plain' } }),
      people('nobody', {}), // 13
      people('ann@local', { passwordHash: 'clear' }),
      `${JSON.stringify({ kind: 'role', id: 'r', doc: { permissions: { '*': 'full' } } })}\n`,
      object('x', {}, { revision: -1 }),
      header,
      '\n',
      object('last'),
    ];
    const { faults, counts } = await importText(to, header + lines.join('') + end);
    const told = faults.map(({ line, code }) => `${line} ${code}`).toSorted((a, b) => Number.parseInt(a) - Number.parseInt(b)); // prettier-ignore
    expect(told).to.deep.equal(['3 form', '4 form', '5 form', '6 form', '7 form', '8 class', '9 class', '11 unique', '12 missing-content', '13 account', '14 account', '15 form', '16 form', '17 form']); // prettier-ignore
    expect(counts).to.deep.include({ created: 4, faults: told.length });
    expect(await inStore(to, 'shelf@demo', 'last')).to.not.equal(undefined);
    expect(faults.find(({ line }) => line === 11)?.message).to.include('isbn');
  });

  it('says that a file is cut off, wherever it is', async () => {
    await from.repo.create('book', { id: 'a', cover: file('x'.repeat(400_000)) });
    const { text } = await exportText(from);
    const lines = text.split('\n');
    const cutAfter = async (count: number) => (await importText(to, `${lines.slice(0, count).join('\n')}\n`)).faults.map(({ code }) => code); // prettier-ignore
    expect(await cutAfter(2)).to.deep.equal(['content', 'cut-off']);
    expect(await cutAfter(3)).to.deep.equal(['content', 'cut-off']);
    expect(await cutAfter(5)).to.deep.equal(['cut-off']);
    expect((await importText(to, text)).faults).to.deep.equal([]);
  });

  it('takes no content under a hash that is not its own, and goes on after lost parts', async () => {
    await from.repo.create('book', { id: 'a', cover: file('x'.repeat(700_000)) });
    const lines = (await exportText(from)).text.split('\n');
    const lost = lines.toSpliced(2, 1).join('\n');
    expect((await importText(to, lost)).faults.map(({ code }) => code)).to.deep.equal(['content', 'missing-content']);
    const changed = lines.with(1, lines[1]!.replace('"content":"eHh4', '"content":"eHh5')).join('\n');
    expect((await importText(to, changed)).faults.map(({ code, message }) => `${code} ${message}`).join()).to.match(/content .*another one.*missing-content/); // prettier-ignore
    expect((await importText(to, lines.join('\n'))).faults).to.deep.equal([]);
  });

  it('tells of contents that the source has lost', async () => {
    const { doc } = await from.repo.create('book', { id: 'a', cover: file('x') });
    await from.stores.files.remove((doc['cover'] as { hash: string }).hash);
    const { text, counts } = await exportText(from);
    expect(counts).to.deep.include({ objects: 1, missing: 1 });
    expect((await importText(to, text)).faults.map(({ code }) => code)).to.deep.equal(['missing-content']);
  });

  it('refuses what is no export, a newer format and another application', async () => {
    const failed = (text: string) => importText(to, text).catch(refusal);
    for (const text of ['', 'PK\u0003\u0004', '{"kind":"object"}\n', '{"kind":"header"}\n'])
      expect(await failed(text)).to.match(/^bad_request: The file is no export/);
    expect(await failed(header.replace('"format":1', '"format":2'))).to.match(/^conflict: .*format 2.*newer/);
    expect(await failed(header.replace('demo', 'shop'))).to.match(/^conflict: .*application shop.*demo/);
  });
});
