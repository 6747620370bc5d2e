import { expect } from 'chai';
import { Acceptor } from './acceptor.ts';
import { serveService, type Answer, type Served } from '../../../test/support/serve-service.ts';

const thing = {
  name: 'thing',
  version: '1.2',
  key: ['id'],
  properties: [
    { name: 'id', type: 12, autoassigned: true, readonly: true, orderNumber: 1 },
    { name: 'text', type: 0, size: 10, orderNumber: 2 },
    { name: 'count', type: 6, nullable: true, orderNumber: 3 },
    { name: 'other', type: 13, refClass: 'other', nullable: true, orderNumber: 4 },
    { name: 'pin', type: 11, nullable: true, orderNumber: 5 },
  ],
};
const other = { name: 'other', key: ['nr'], properties: [{ name: 'nr', type: 6, autoassigned: true }, { name: 'name', type: 0, nullable: true }] }; // prettier-ignore
const rights = { 'all@local': { '*': ['full'] }, 'things@local': { 'c:::thing@demo': ['read', 'write', 'use'] } };
const converters = {
  wrapped: { parse: (data: { items: unknown[] }) => Promise.resolve(data.items), respond: (objects: unknown[]) => ({ stored: objects.length }) },
  marks: { respond: (objects: object[]) => objects.map((one) => ({ ...one, marked: true })) },
  broken: { parse: () => { throw new Error('cannot read'); } },
}; // prettier-ignore
const problem = { accept: 'application/problem+json' };

describe('acceptor', () => {
  let acceptor: Served;
  const post = (body: unknown, query = '', headers: Record<string, string> = {}) =>
    acceptor.call('POST', `/${query}`, body, headers);
  const lines = (body: string, headers: Record<string, string> = {}) =>
    post(body, '', { 'content-type': 'application/x-ndjson', ...headers });
  const faults = ({ json }: Answer) =>
    (json as { errors?: { index: number; property?: string; code: string }[] }).errors?.map(
      (one) => `${one.index} ${one.property ?? ''} ${one.code}`,
    );
  const a = (id: string, more: object = {}) => ({ _class: 'thing@demo', _id: id, text: id, ...more });

  before(async () => {
    acceptor = await serveService((options) => new Acceptor(options) as never, {
      definitions: [thing, other],
      rights,
      options: converters,
    });
  });
  after(() => acceptor.close());

  it('stores objects of several classes and echoes them in the form of the contract', async () => {
    const { status, headers, json } = await post([
      { _id: '1', _class: 'thing@demo', __classVer: null, text: 'one', other: 7, pin: 'secret' },
      { _class: 'other@demo', nr: 7, name: 'seven' },
    ]);
    expect([status, headers['content-type']]).to.deep.equal([200, 'application/json; charset=utf-8']);
    expect(json).to.deep.equal([
      { _id: '1', id: '1', _class: 'thing@demo', _classVer: '1.2', text: 'one', count: null, other: 7 },
      { _id: '7', id: '7', _class: 'other@demo', _classVer: '', nr: 7, name: 'seven' },
    ]);
    expect(Object.keys((json as object[])[0]!).slice(0, 4)).to.deep.equal(['_id', 'id', '_class', '_classVer']);
  });

  it('takes a single object for a list of one, and a list of none', async () => {
    expect((await post(a('s'))).json).to.have.length(1);
    expect((await post([])).json).to.deep.equal([]);
  });

  it('creates what is new and changes what is there, sequentially in meaning', async () => {
    const answer = await post([a('x', { count: 1 }), { _class: 'thing', _id: 'x', text: 'later' }, a('y')]);
    expect((answer.json as { count: unknown }[]).map((one) => one.count)).to.deep.equal([1, 1, null]);
    const read = (await acceptor.repo.get('thing', 'x'))!;
    expect([read.get('text'), read.get('count'), read.revision]).to.deep.equal(['later', 1, 2]);
  });

  it('finds the key in _id, in the key attribute, in both, or makes it', async () => {
    const idsOf = ({ json }: Answer) => (json as { _id: string; id: string }[]).map((one) => `${one._id} ${one.id}`);
    expect(idsOf(await post([{ _class: 'thing', id: 'k1', text: 'a' }]))).to.deep.equal(['k1 k1']);
    expect(idsOf(await post([{ _class: 'thing', _id: 'k1', id: 'k2', text: 'b' }]))).to.deep.equal(['k2 k2']);
    expect(await acceptor.repo.get('thing', 'k1'), 'the object found by _id got the other key').to.equal(undefined);
    expect(idsOf(await post([{ _class: 'thing', _id: 'nowhere', id: 'k3', text: 'c' }]))).to.deep.equal(['k3 k3']);
    expect(await acceptor.repo.get('thing', 'nowhere')).to.equal(undefined);
    expect(idsOf(await post([{ _class: 'thing', _id: 5, text: 'n' }]))).to.deep.equal(['5 5']);
    const [made] = (await post([{ _class: 'thing', _id: null, _classVer: '', text: 'd' }])).json as { id: string }[];
    expect(made!.id).to.match(/^[0-9a-f-]{36}$/);
    const taken = await post([{ _class: 'thing', _id: 'k2', id: 'k3', text: 'b' }], '', problem);
    expect([taken.status, faults(taken)]).to.deep.equal([400, ['0 id exists']]);
    expect((await post([{ _class: 'other', _id: 'seven' }])).status, '_id that is no key of the class').to.equal(400);
  });

  it('stores nothing when one object is bad, and tells every reason to who can read it', async () => {
    const before = await acceptor.repo.count('thing');
    const bad = [
      a('new1'),
      5,
      { _id: 'q', text: 'x' },
      { _class: 'none' },
      a('new2', { count: 'x', text: 'longer than ten' }),
      a('new3', { other: 99 }),
    ];
    const page = await post(bad);
    expect([page.status, page.headers['content-type']]).to.deep.equal([400, 'text/html; charset=utf-8']);
    expect(page.text).to.contain('Bad Request').and.not.contain('longer');
    const told = await post(bad, '', problem);
    expect(told.headers['content-type']).to.equal('application/problem+json');
    expect(faults(told)).to.deep.equal([
      '1  type',
      '2 _class required',
      '3 _class class',
      '4 text size',
      '4 count type',
      '5 other reference',
    ]);
    expect((await post(bad, '', { accept: 'text/html, application/problem+json' })).headers['content-type']).to.match(
      /html/,
    );
    expect(await acceptor.repo.count('thing')).to.equal(before);
  });

  it('answers 403 with the same page when rights are missing, and stores nothing', async () => {
    for (const body of [[a('r1'), { _class: 'other', nr: 50 }], [a('r2', { other: { nr: 51 } })]]) {
      const { status, text } = await post(body, '', { 'x-as': 'things@local' });
      expect([status, text]).to.deep.equal([
        403,
        (await post('[', '', { 'content-type': 'application/json' })).text.replace(
          /[\w-]{20,}/g,
          (id) => /[\w-]{20,}/.exec(text)?.[0] ?? id,
        ),
      ]);
    }
    expect(await acceptor.repo.get('thing', 'r1')).to.equal(undefined);
    expect((await post([a('r3')], '', { 'x-as': 'nobody@local' })).status).to.equal(403);
    const mixed = await post([5, { _class: 'other', nr: 50 }], '', { 'x-as': 'things@local', ...problem });
    expect([mixed.status, faults(mixed)]).to.deep.equal([403, ['1  forbidden']]);
  });

  it('stores the good ones with _mode=partial, one result each, in order', async () => {
    const { status, json } = await post(
      [a('p1'), a('p2', { count: 'x' }), 5, { _class: 'other', nr: 60 }],
      '?_mode=partial',
      { 'x-as': 'things@local' },
    );
    expect(status).to.equal(207);
    expect((json as { status: number }[]).map((one) => one.status)).to.deep.equal([200, 400, 400, 403]);
    expect((json as { errors: unknown }[])[1]!.errors).to.deep.equal([
      { property: 'count', code: 'type', message: 'must be a whole number' },
    ]);
    expect((json as { object: { id: string } }[])[0]!.object.id).to.equal('p1');
    expect([await acceptor.repo.get('thing', 'p2'), await acceptor.repo.get('other', '60')]).to.deep.equal([
      undefined,
      undefined,
    ]);
    expect((await post([a('p3')], '?_mode=some')).status).to.equal(400);
  });

  it('answers what would be stored with _dryRun, and stores nothing', async () => {
    const { status, json } = await post([a('dry', { count: 3 })], '?_dryRun=1');
    expect([status, (json as { count: number }[])[0]!.count]).to.deep.equal([200, 3]);
    expect(await acceptor.repo.get('thing', 'dry')).to.equal(undefined);
    expect((await post([a('dry', { count: 'x' })], '?_dryRun=1')).status).to.equal(400);
  });

  it('converts by the converter named, both ways', async () => {
    const wrapped = await post({ items: [a('c1'), a('c2')] }, '', { 'svc-converter': 'wrapped' });
    expect([wrapped.status, wrapped.json]).to.deep.equal([200, { stored: 2 }]);
    expect((await post([a('c3')], '', { 'ion-converter': 'marks' })).json).to.have.nested.property('[0].marked', true);
    expect((await post([a('c4')], '?_mode=partial', { 'svc-converter': 'marks' })).json).to.have.nested.property(
      '[0].object.marked',
      true,
    );
    for (const name of ['none', 'broken', 'dataRepo', 'settings', '__proto__', 'constructor', 'toString']) {
      expect((await post([a('c5')], '', { 'svc-converter': name })).status, name).to.equal(400);
    }
    expect(await acceptor.repo.get('thing', 'c5')).to.equal(undefined);
  });

  it('takes JSON and lines of JSON, nothing else', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data; boundary=x', 'application/octet-stream', '']) {
      const { status, text } = await post('[]', '', { 'content-type': type });
      expect([status, text.includes('Bad Request')], type).to.deep.equal([400, true]);
    }
    for (const body of ['', '{', 'null', '"x"', '[[]]', '{"_class": 5}', '{"_class": "thing", "_id": {"$ne": 1}}', '{"_class": "thing", "_id": ["a"]}', '{"_class": "__proto__"}', '{"_class": "thing", "__proto__": {"text": "x"}}', '{"_class":"thing","_id":"h","text":{"$gt":""}}', '{"_class":"thing","_id":"h","other.name":"x"}']) {
      expect((await post(body, '', { 'content-type': 'application/json' })).status, body).to.equal(400);
    }
    expect((await post(JSON.stringify([a('charset')]), '', { 'content-type': 'application/json; charset=utf-8' })).status).to.equal(200);
  }); // prettier-ignore

  it('answers a line per line, also for bad ones, of any length', async () => {
    const count = 1700;
    const sent = Array.from({ length: count }, (_, place) =>
      place % 100 === 50 ? '{"_class":' : JSON.stringify(a(`l${place}`, { count: place })),
    );
    sent[3] = JSON.stringify(a('l3', { text: 'x'.repeat(2 * 1024 * 1024) }));
    sent[4] = JSON.stringify({ _class: 'none' });
    const { status, headers, text } = await lines(`${sent.join('\n')}\n\n`);
    expect([status, headers['content-type']]).to.deep.equal([200, 'application/x-ndjson; charset=utf-8']);
    const results = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: number; object?: { id: string } });
    expect(results.length).to.equal(count);
    expect([results[3]!.status, results[4]!.status, results[50]!.status]).to.deep.equal([413, 400, 400]);
    expect([results[0]!.object!.id, results[1699]!.object!.id]).to.deep.equal(['l0', 'l1699']);
    expect(await acceptor.repo.count('thing', { like: ['$id', 'l1'] })).to.be.greaterThan(700);
    expect(
      (await acceptor.call('POST', '/?_mode=atomic', '{}', { 'content-type': 'application/x-ndjson' })).status,
    ).to.equal(400);
    expect((await lines(JSON.stringify({ _class: 'other', nr: 70 }), { 'x-as': 'things@local' })).text).to.contain(
      '"status":403',
    );
  });

  it('does not show passwords and takes its own answer back', async () => {
    const { json, text } = await post([a('back', { pin: 'secret', count: 4 })]);
    expect(text).to.not.match(/secret|hash of|pin/);
    const again = await post(json);
    expect([again.status, again.json]).to.deep.equal([200, json]);
    expect((await acceptor.repo.get('thing', 'back'))!.doc['pin']).to.equal('hash of 6');
  });
});
