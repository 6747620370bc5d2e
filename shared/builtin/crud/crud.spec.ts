import { expect } from 'chai';
import { Crud } from './crud.ts';
import { serveService, type Served } from '../../../test/support/serve-service.ts';

const author = { name: 'author', key: ['id'], semantic: 'name', properties: [{ name: 'id', type: 0 }, { name: 'name', type: 0 }] }; // prettier-ignore
const book = {
  name: 'book',
  caption: 'Book',
  key: ['id'],
  semantic: 'title',
  properties: [
    { name: 'id', type: 6, autoassigned: true, orderNumber: 1 },
    { name: 'title', type: 0, orderNumber: 2 },
    { name: 'pages', type: 6, nullable: true, orderNumber: 3 },
    { name: 'author', type: 13, refClass: 'author', nullable: true, orderNumber: 4 },
    { name: 'cover', type: 4, nullable: true, allowedFileTypes: ['png', 'image/png'], orderNumber: 5 },
    { name: 'scans', type: 110, nullable: true, maxFileCount: 2, orderNumber: 6 },
    { name: 'editor', type: 11, nullable: true, orderNumber: 7 },
  ],
};
const strict = { name: 'strict', requireIfMatch: true, key: ['id'], properties: [{ name: 'id', type: 0 }, { name: 'v', type: 0, nullable: true }] }; // prettier-ignore
const rights = { 'all@local': { '*': ['full'] }, 'reader@local': { 'c:::book@demo': ['read'] } };
const as = (id: string) => ({ 'x-as': id });

describe('crud', () => {
  let crud: Served;
  const call: Served['call'] = (...words) => crud.call(...words);
  const idsOf = ({ json }: { json: unknown }) => (json as { id: number }[]).map((one) => one.id);

  beforeEach(async () => {
    crud = await serveService((options) => new Crud(options) as never, { definitions: [author, book, strict], rights });
    await crud.repo.create('author', { id: 'a', name: 'Ann' });
    for (let place = 1; place <= 7; place++)
      await crud.repo.create('book', { title: `T${place}`, pages: place % 2, author: 'a' });
  });
  afterEach(() => crud.close());

  it('lists five by key with Link, and as many as asked up to the limit', async () => {
    const first = await call('GET', '/book@demo?_total=1');
    expect([first.status, idsOf(first), first.headers['x-total-count']]).to.deep.equal([200, [1, 2, 3, 4, 5], '7']);
    expect(first.headers['content-type']).to.match(/^application\/json/);
    expect(first.headers['link']).to.equal(
      '</rest/svc/book@demo?_total=1&_offset=0&_count=5>; rel="first", </rest/svc/book@demo?_total=1&_offset=5&_count=5>; rel="next"',
    );
    const last = await call('GET', '/book?_offset=5&_sort=-id&_fields=title&_count=9999');
    expect(idsOf(last)).to.deep.equal([2, 1].map(String));
    expect(last.headers['link'])
      .to.match(/rel="prev"/)
      .and.to.not.match(/rel="next"/);
    expect(Object.keys((last.json as object[])[0]!)).to.deep.equal([
      '_id',
      '__string',
      '__class',
      '__classTitle',
      'id',
      'title',
    ]);
    expect(idsOf(await call('GET', '/book@demo?pages=1&_count=2'))).to.deep.equal([1, 3]);
    expect((await call('GET', '/book@demo?nowhere=1')).json).to.deep.equal([]);
    expect((await call('GET', '/book@demo?_count=0')).json).to.deep.equal([]);
  });

  it('answers 400 that names what is wrong in an address', async () => {
    for (const [query, name] of [
      ['_count=-1', '_count'], ['_count=x', '_count'], ['_offset=1.5', '_offset'], ['_count[]=1', '_count'],
      ['_sort=nowhere', 'nowhere'], ['_fields=nowhere', 'nowhere'], ['_eager=title', 'title'], ['pages=x', 'pages'], ['pages[$gt]=0', 'pages'],
    ] as const) {
      const { status, json, headers } = await call('GET', `/book@demo?${query}`);
      expect(status, query).to.equal(400);
      expect(headers['content-type'], query).to.equal('application/problem+json');
      expect((json as { errors: { property: string }[] }).errors[0]!.property, query).to.equal(name);
    }
  }); // prettier-ignore

  it('searches with a body in either notation; the address wins', async () => {
    const body = { filter: { eq: ['$pages', 1] }, sort: { id: -1 }, count: 2, eager: [['author']], fields: ['author'] };
    const found = await call('SEARCH', '/book@demo', body);
    expect(idsOf(found)).to.deep.equal(['7', '5']);
    expect((found.json as { author: unknown }[]).map((one) => one.author)).to.deep.equal([
      { _id: 'a', __string: 'Ann', __class: 'author@demo', __classTitle: 'author', id: 'a', name: 'Ann' },
      { _id: 'a' },
    ]);
    expect(idsOf(await call('POST', '/book@demo/_search?_count=1', { filter: { pages: { $eq: 0 } } }))).to.deep.equal([
      2,
    ]);
    expect(idsOf(await call('SEARCH', '/book@demo'))).to.have.length(5);
    expect((await call('SEARCH', '/book@demo', { filter: { nowhere: { $eq: 1 } } })).status).to.equal(400);
    expect((await call('SEARCH', '/book@demo', [1])).status).to.equal(400);
  });

  it('reads one object, with an ETag that answers 304', async () => {
    const { status, headers, json } = await call('GET', '/book@demo/1');
    expect([status, headers['etag'], (json as { title: string }).title]).to.deep.equal([200, '"1"', 'T1']);
    for (const tag of ['"1"', 'W/"1"', '"0", "1"', '*']) {
      const same = await call('GET', '/book@demo/1', undefined, { 'if-none-match': tag });
      expect([same.status, same.text], tag).to.deep.equal([304, '']);
    }
    expect((await call('GET', '/book@demo/1', undefined, { 'if-none-match': '"2"' })).status).to.equal(200);
    const head = await call('HEAD', '/book@demo/1');
    expect([head.status, head.headers['etag'], head.text]).to.deep.equal([200, '"1"', '']);
  });

  it('lets an ETag change when an object shown with it changes', async () => {
    const before = (await call('GET', '/book@demo/1?_eager=author')).headers['etag'];
    await call('PATCH', '/author@demo/a', { name: 'Bea' });
    expect((await call('GET', '/book@demo/1?_eager=author')).headers['etag']).to.not.equal(before);
    expect((await call('PATCH', '/book@demo/1', { pages: 3 }, { 'if-match': before! })).status).to.equal(200);
  });

  it('answers 404 alike for unknown classes and objects, with a body', async () => {
    for (const [method, path] of [['GET', '/none@demo'], ['GET', '/none@demo/1'], ['GET', '/book@demo/99'], ['PATCH', '/book@demo/99'], ['DELETE', '/book@demo/99'], ['POST', '/none@demo'], ['GET', '/book@demo/1/cover'], ['GET', '/book@demo/1/title'], ['GET', '/__proto__'], ['GET', '/book@demo/constructor']] as const) {
      const answer = await call(method, path, method === 'GET' || method === 'DELETE' ? undefined : { title: 'x' });
      expect([answer.status, answer.headers['content-type']], `${method} ${path}`).to.deep.equal([404, 'application/problem+json']);
      expect(answer.text).to.not.equal('');
    }
  }); // prettier-ignore

  it('creates with 200 and Location, once per key', async () => {
    const made = await call('POST', '/book@demo', { title: 'New', author: { id: 'b', name: 'Bo' } });
    expect([made.status, made.headers['location'], made.headers['etag']]).to.deep.equal([
      200,
      '/rest/svc/book@demo/8',
      '"1"',
    ]);
    expect(made.json).to.deep.include({ _creator: 'all@local', id: 8, author: 'b' });
    const again = await call('POST', '/book@demo', { id: 8, title: 'x' });
    expect([again.status, (again.json as { errors: object[] }).errors]).to.deep.equal([
      400,
      [{ property: 'id', code: 'exists', message: 'is the key of an object that exists' }],
    ]);
  });

  it('changes by PATCH and PUT alike', async () => {
    for (const [place, method] of ['PATCH', 'PUT'].entries()) {
      const { status, json, headers } = await call(method, '/book@demo/1', { title: method, pages: null });
      expect([status, headers['etag']]).to.deep.equal([200, `"${place + 2}"`]);
      expect(json).to.deep.include({ title: method, pages: null, author: 'a', _editor: 'all@local' });
    }
    const form = await call('PATCH', '/book@demo/1', 'title=By+form&pages=12', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form.json).to.deep.include({ title: 'By form', pages: 12 });
  });

  it('removes with 200 and nothing', async () => {
    const gone = await call('DELETE', '/book@demo/1');
    expect([gone.status, gone.text]).to.deep.equal([200, '']);
    expect((await call('GET', '/book@demo/1')).status).to.equal(404);
  });

  it('holds If-Match: 412 for a revision that is past, 428 where one is asked for', async () => {
    expect((await call('PATCH', '/book@demo/1', { title: 'a' }, { 'if-match': '"7"' })).status).to.equal(412);
    expect((await call('PATCH', '/book@demo/1', { title: 'a' }, { 'if-match': 'nonsense' })).status).to.equal(412);
    expect((await call('PATCH', '/book@demo/1', { title: 'a' }, { 'if-match': 'W/"1"' })).status).to.equal(200);
    expect((await call('DELETE', '/book@demo/1', undefined, { 'if-match': '"1"' })).status).to.equal(412);
    expect((await call('DELETE', '/book@demo/1', undefined, { 'if-match': '"9", "2"' })).status).to.equal(200);
    await crud.repo.create('strict', { id: 's' });
    expect((await call('PUT', '/strict@demo/s', { v: 'x' })).status).to.equal(428);
    expect((await call('PUT', '/strict@demo/s', { v: 'x' }, { 'if-match': '*' })).status).to.equal(200);
  });

  it('repeats the answer of a POST with a known Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'k1' };
    const [first, second] = [
      await call('POST', '/book@demo', { title: 'x' }, key),
      await call('POST', '/book@demo', { title: 'x' }, key),
    ];
    expect([second.text, second.headers['location']]).to.deep.equal([first.text, first.headers['location']]);
    expect((await call('POST', '/book@demo', { title: 'y' }, key)).status).to.equal(422);
    expect((await call('POST', '/book@demo', { title: 5 }, { 'idempotency-key': 'k2' })).status).to.equal(400);
    expect((await call('POST', '/book@demo', { title: 'ok' }, { 'idempotency-key': 'k2' })).status).to.equal(200);
    const race = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/book@demo', { title: 'race' }, { 'idempotency-key': 'k3' })),
    );
    expect(race.filter((one) => one.status !== 200 && one.status !== 409)).to.deep.equal([]);
    expect(await crud.repo.count('book', { eq: ['$title', 'race'] })).to.equal(1);
  });

  it('takes files as base64, as an object and as a form part, and serves them as attachments', async () => {
    const content = Buffer.from('<script>');
    const made = await call('POST', '/book@demo', {
      title: 'f',
      cover: { name: '../a "ü".png', mime: 'image/png', body: content.toString('base64') },
    });
    const { cover, id } = made.json as { cover: Record<string, unknown>; id: number };
    expect(cover).to.deep.include({
      name: 'a "ü".png',
      size: 8,
      type: 'image/png',
      link: `/rest/crud/book%40demo/${id}/cover`,
    });
    const file = await call('GET', `/book@demo/${id}/cover`);
    expect([
      file.status,
      file.text,
      file.headers['content-type'],
      file.headers['x-content-type-options'],
    ]).to.deep.equal([200, '<script>', 'image/png', 'nosniff']);
    expect(file.headers['content-disposition']).to.equal(
      `attachment; filename="a ___.png"; filename*=UTF-8''a%20%22%C3%BC%22.png`,
    );
    const form = new FormData();
    form.set('title', 'by form');
    form.set('scans', new Blob(['one']), 'one.txt');
    form.append('scans', new Blob(['two']), 'two.txt');
    const sent = await fetch(`${crud.url}/book@demo/${id}`, { method: 'PATCH', body: form, headers: as('all@local') });
    const answer = (await sent.json()) as { scans: { name: string; id: string }[]; title: string };
    expect([sent.status, answer.title, answer.scans.map((one) => one.name)]).to.deep.equal([
      200,
      'by form',
      ['one.txt', 'two.txt'],
    ]);
    expect((await call('GET', `/book@demo/${id}/scans/${answer.scans[1]!.id}`)).text).to.equal('two');
    const kept = await call('PATCH', `/book@demo/${id}`, { scans: [answer.scans[1]], cover });
    expect((kept.json as typeof answer).scans.map((one) => one.name)).to.deep.equal(['two.txt']);
  });

  it('refuses files that are too many, of a wrong type, or somebody else’s content', async () => {
    const other = await call('POST', '/book@demo', { title: 'f', scans: ['YQ=='] });
    const [{ id }] = (other.json as { scans: [{ id: string }] }).scans;
    for (const body of [{ scans: ['YQ==', 'Yg==', 'Yw=='] }, { cover: { name: 'a.exe', mime: 'image/png2', body: 'YQ==' } }, { cover: 'no base64!' }, { cover: { id } }, { cover: { hash: id, name: 'a.png', size: 1, type: 'image/png' } }, { cover: 5 }, { cover: [] , scans: [[]] }]) {
      const { status } = await call('PATCH', '/book@demo/1', body);
      expect(status, JSON.stringify(body)).to.equal(400);
    }
  }); // prettier-ignore

  it('gives nothing to callers without the right, and 403 whether there is an object or not', async () => {
    const nobody = as('nobody@local');
    for (const [method, path, body] of [['GET', '/book@demo'], ['GET', '/book@demo?_total=1&nowhere=1'], ['SEARCH', '/book@demo', {}], ['GET', '/book@demo/1'], ['GET', '/book@demo/99'], ['GET', '/book@demo/1/cover'], ['POST', '/book@demo', { title: 5 }], ['PATCH', '/book@demo/1', { title: 'x' }], ['PATCH', '/book@demo/99', { title: 'x' }], ['DELETE', '/book@demo/1'], ['DELETE', '/book@demo/99']] as const) {
      const answer = await call(method, path, body, nobody);
      expect(answer.status, `${method} ${path}`).to.equal(403);
      expect(answer.text).to.not.match(/T1|Ann|must be/);
    }
    const reader = await call('PATCH', '/book@demo/1', { title: 'x' }, as('reader@local'));
    expect([reader.status, (reader.json as { title: string }).title]).to.deep.equal([403, 'Access denied']);
    expect((await call('GET', '/book@demo/1?_eager=author', undefined, as('reader@local'))).json).to.deep.include({ author: 'a' });
  }); // prettier-ignore

  it('checks no rights only when the option says unchecked', async () => {
    for (const [access, status] of [['unchecked', 200], ['Unchecked', 403], [false, 403], ['', 403]] as const) {
      const open = await serveService((options) => new Crud(options) as never, { definitions: [author, book], rights, options: { access } });
      expect((await open.call('GET', '/book@demo', undefined, as('nobody@local'))).status, String(access)).to.equal(status);
      await open.close();
    }
  }); // prettier-ignore

  it('answers data or 400 to whatever a body or an address holds', async () => {
    const hostile = [
      '{"__proto__": {"title": "x"}}', '{"constructor": 1}', '{"author.name": "x"}', '{"title": {"$gt": ""}}', '{"title": ["x"]}', '{"author": {"$ne": null}}',
      '{"id": {"$gt": 0}, "title": "x"}', '{"pages": "1e999", "title": "x"}', '{"title": "\\u0000"}', '{"title": "\\ud800"}', '{"pages": 1e400}', '[]', '[{}]', '"x"', '5', 'null', '{', '', '{"nothing": 1}', '{"_id": "x"}', '{"author": []}', '{"author": [1]}', '{"cover": {"stream": 1}}', `{"title": ${'['.repeat(60)}${']'.repeat(60)}}`,
    ];
    for (const body of hostile) {
      const answer = await call('POST', '/book@demo', body, { 'content-type': 'application/json' });
      expect(answer.status, body).to.equal(400);
      expect(answer.text, body).to.match(/"status":400/);
    }
    for (const query of ['title[$gt]=', '$where=1', 'author.name.x=1', 'title=%00', '_id[$ne]=1', 'editor=hash', '_eager=__proto__', '_sort=__proto__', '_sort=editor', '_fields=__proto__', '%=', '_count=1e3']) {
      const answer = await call('GET', `/book@demo?${query}`);
      expect([200, 400], query).to.include(answer.status);
      if (answer.status === 200) expect(answer.json, query).to.deep.equal([]);
    }
    const echoed = await call('PATCH', '/book@demo/1', { title: '$title', _creator: 'x@y', _editor: 'x@y', _class: 'author@demo', __string: 'x', _id: '5' });
    expect(echoed.json).to.deep.include({ title: '$title', _editor: 'all@local', _id: '1', __class: 'book@demo' });
    expect(echoed.json).to.not.include({ _creator: 'x@y' });
  }); // prettier-ignore

  it('takes 400 for what is no object, form or multipart', async () => {
    for (const [type, body] of [['text/plain', 'x'], ['text/xml', '<a/>'], ['application/octet-stream', 'x'], ['application/json', 'x'], ['multipart/form-data', 'x'], ['multipart/form-data; boundary=b', '--b']] as const) {
      expect((await call('POST', '/book@demo', body, { 'content-type': type })).status, type).to.equal(400);
    }
    expect((await call('POST', '/book@demo')).status, 'no body').to.equal(400);
  }); // prettier-ignore

  it('never shows more than the contract names', async () => {
    await call('PATCH', '/book@demo/1', { editor: 'secret' });
    const { text } = await call('GET', '/book@demo/1');
    expect(text).to.not.match(/hash of|secret|"_class"|revision|"editor"/);
    const unknown = await crud.call('POST', '/book@demo', { title: 'x', extra: 'kept?' });
    expect(unknown.text).to.not.contain('kept?');
  });
});
