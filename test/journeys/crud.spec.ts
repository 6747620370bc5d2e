import { expect } from 'chai';
import { basic, demo, startPortico, type RunningPortico } from '../support/start-portico.ts';

const json = { 'content-type': 'application/json' };
const texts = { string_text: 'One', string_miltilinetext: 'Two\nlines', string_formattext: '<p>Three</p>' };

describe('crud: update object', () => {
  let portico: RunningPortico;
  let id: string;
  before(async () => {
    portico = await startPortico();
  });
  after(() => portico.stop());
  beforeEach(async () => {
    const created = await call('POST', '', texts);
    expect(created.status).to.equal(200);
    id = created.body._id;
  });

  const call = async (method: string, path: string, values?: unknown, headers: Record<string, string> = demo) => {
    const body = values === undefined ? undefined : typeof values === 'string' ? values : JSON.stringify(values);
    const response = await portico.fetch(`/rest/crud/class_string@demo${path}`, {
      method,
      headers: { ...(body === undefined ? {} : json), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const typed = response.headers.get('content-type') ?? '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: /json/.test(typed) ? JSON.parse(text) : text,
    };
  };

  for (const method of ['PATCH', 'PUT']) {
    it(`${method} sets the given properties and answers the updated object with its system fields`, async () => {
      const { status, body, headers } = await call(method, `/${id}`, { string_text: 'Changed' });
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.match(/^application\/json/);
      expect(body).to.include({
        _id: id,
        id,
        __class: 'class_string@demo',
        __classTitle: 'String',
        _editor: 'demo@local',
        string_text: 'Changed',
        string_miltilinetext: texts.string_miltilinetext,
        string_formattext: texts.string_formattext,
      });
      expect(body.__string).to.be.a('string').and.not.equal('');
      expect((await call('GET', `/${id}`)).body).to.deep.equal(body);
    });
  }

  it('accepts multipart requests', async () => {
    const form = new FormData();
    form.append('string_text', 'By multipart');
    const response = await portico.fetch(`/rest/crud/class_string@demo/${id}`, {
      method: 'PATCH',
      headers: demo,
      body: form,
    });
    expect(response.status).to.equal(200);
    expect(await response.json()).to.include({
      string_text: 'By multipart',
      string_miltilinetext: texts.string_miltilinetext,
    });
  });

  it('keeps a file that comes as a multipart part and gives it back to who may read the object', async () => {
    const seeded = await portico.fetch('/rest/crud/publication@demo?_count=1', { headers: demo });
    const [publication] = (await seeded.json()) as { _id: string }[];
    const form = new FormData();
    form.append('attachment', new Blob(['%PDF-1.4 test'], { type: 'application/pdf' }), '../../report.pdf');
    const path = `/rest/crud/publication@demo/${encodeURIComponent(publication!._id)}`;
    const changed = await portico.fetch(path, { method: 'PATCH', headers: demo, body: form });
    expect(changed.status, await changed.clone().text()).to.equal(200);
    const { attachment } = (await changed.json()) as { attachment: { link: string; size: number } };
    expect(attachment.size).to.equal(13);
    const file = await portico.fetch(`${path}/attachment`, { headers: demo });
    expect(await file.text()).to.equal('%PDF-1.4 test');
    expect(file.headers.get('content-disposition'))
      .to.match(/^attachment/)
      .and.not.match(/\.\.\//);
    expect(file.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(
      (await portico.fetch(`${path}/attachment`, { headers: basic('user@local', 'portico-demo') })).status,
    ).to.equal(403);
  });

  it('answers 404 to an object or a class that does not exist', async () => {
    const missing = await call('PATCH', '/no-such-object', { string_text: 'x' });
    expect(missing.status).to.equal(404);
    expect(missing.body).to.include({ status: 404 });
    const response = await portico.fetch('/rest/crud/nothing@demo/1', {
      method: 'PATCH',
      headers: { ...demo, ...json },
      body: '{"a":1}',
    });
    expect(response.status).to.equal(404);
  });

  it('answers 403 to a caller without rights, whether the object exists or not', async () => {
    const nobody = basic('user@local', 'portico-demo');
    for (const path of [`/${id}`, '/no-such-object']) {
      const { status, text } = await call('PATCH', path, { string_text: 'x' }, nobody);
      expect(status).to.equal(403);
      expect(text).to.not.include(texts.string_text);
    }
    expect((await call('GET', '', undefined, nobody)).status).to.equal(403);
  });

  it('answers 401 without credentials: crud has the default mode', async () => {
    expect((await call('PATCH', `/${id}`, { string_text: 'x' }, {})).status).to.equal(401);
  });

  it('answers 400 with the property to values that break a rule, and stores nothing', async () => {
    const { status, body, headers } = await call('PATCH', `/${id}`, {
      string_text: 'x'.repeat(51),
      string_miltilinetext: 7,
    });
    expect(status).to.equal(400);
    expect(headers.get('content-type')).to.match(/^application\/problem\+json/);
    expect(body.errors.map((one: { property: string }) => one.property)).to.deep.equal([
      'string_text',
      'string_miltilinetext',
    ]);
    expect(body.instance).to.equal(headers.get('x-request-id'));
    expect((await call('GET', `/${id}`)).body.string_text).to.equal('One');
  });

  it('answers 400 to a body that is broken, no object, or names no attribute', async () => {
    for (const body of ['{"string_text":', '[1]', '"text"', '{"nothing_known":1}', '{"__proto__":{"a":1}}']) {
      expect((await call('PATCH', `/${id}`, body)).status, body).to.equal(400);
    }
  });

  it('carries a revision as ETag: If-Match refuses a stale change, If-None-Match saves an answer', async () => {
    const first = await call('GET', `/${id}`);
    const etag = first.headers.get('etag')!;
    expect((await call('GET', `/${id}`, undefined, { ...demo, 'if-none-match': etag })).status).to.equal(304);
    expect((await call('PATCH', `/${id}`, { string_text: 'A' }, { ...demo, 'if-match': `W/${etag}` })).status).to.equal(
      200,
    );
    expect((await call('PATCH', `/${id}`, { string_text: 'B' }, { ...demo, 'if-match': etag })).status).to.equal(412);
    expect((await call('GET', `/${id}`)).body.string_text).to.equal('A');
  });

  it('lists, filters, sorts, pages, searches and deletes', async () => {
    await call('POST', '', { ...texts, string_text: 'Zz last' });
    const list = await call('GET', '?_count=2&_sort=-string_text&_total=1');
    const [first, second] = list.body.map((one: { string_text: string }) => one.string_text);
    expect(first > second).to.equal(true);
    expect(list.body).to.have.length(2);
    expect(Number(list.headers.get('x-total-count'))).to.be.greaterThan(2);
    expect((await call('GET', '?string_text=Zz%20last')).body).to.have.length(1);
    expect((await call('GET', '?no_such=1')).body).to.deep.equal([]);
    const found = await call('SEARCH', '', { filter: { like: ['$string_text', 'zZ LA'] } });
    expect(found.body.map((one: { string_text: string }) => one.string_text)).to.deep.equal(['Zz last']);
    expect((await call('DELETE', `/${id}`)).text).to.equal('');
    expect((await call('GET', `/${id}`)).status).to.equal(404);
    expect((await call('DELETE', `/${id}`)).status).to.equal(404);
  });

  it('takes an answer back as it came', async () => {
    const { body } = await call('GET', `/${id}`);
    const again = await call('PUT', `/${id}`, body);
    expect(again.status, again.text).to.equal(200);
    expect({ ...again.body, changed: null }).to.deep.equal({ ...body, changed: null });
  });
});
