import { expect } from 'chai';
import { basic, demo, signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';

const object = (id: string, more: object = {}) => ({
  _id: id,
  _class: 'class_string@demo',
  __classVer: null,
  string_text: `Text ${id}`,
  string_miltilinetext: 'a\nb',
  string_formattext: '<b>c</b>',
  ...more,
});

describe('acceptor: mass storage', () => {
  let portico: RunningPortico;
  before(async () => {
    portico = await startPortico();
  });
  after(() => portico.stop());

  const post = async (body: unknown, headers: Record<string, string> = {}, query = '') => {
    const response = await portico.fetch(`/rest/acceptor${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...demo, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };
  const read = async (id: string) => portico.fetch(`/rest/crud/class_string@demo/${id}`, { headers: demo });

  it('stores a JSON array and answers the stored objects with _id, id, _class, _classVer and the properties', async () => {
    const answer = await post([object('acc-1'), object('acc-2')]);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.match(/^application\/json/);
    expect(answer.json()).to.have.length(2);
    expect(answer.json()[0]).to.deep.include({
      _id: 'acc-1',
      id: 'acc-1',
      _class: 'class_string@demo',
      _classVer: '',
      string_text: 'Text acc-1',
      string_miltilinetext: 'a\nb',
      string_formattext: '<b>c</b>',
    });
    expect((await read('acc-2')).status).to.equal(200);
  });

  it('stores objects of different classes, and updates what exists', async () => {
    const answer = await post([
      object('acc-1', { string_text: 'Anew' }),
      { _id: 'acc-s', _class: 'section@demo', _classVer: '', name: 'Section of the test' },
    ]);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.json().map((one: { _class: string }) => one._class)).to.deep.equal([
      'class_string@demo',
      'section@demo',
    ]);
    expect(await (await read('acc-1')).json()).to.include({ string_text: 'Anew' });
  });

  it('applies the converter named in svc-converter to request and response', async () => {
    const answer = await post({ rows: [object('acc-3')] }, { 'svc-converter': 'rows' });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.json().rows.map((one: { _id: string }) => one._id)).to.deep.equal(['acc-3']);
    expect((await post([object('acc-4')], { 'svc-converter': 'unknown' })).status).to.equal(400);
  });

  it('is open to all major access types', async () => {
    const token = await (await portico.fetch('/rest/token', { headers: demo })).text();
    const cookie = await signIn(portico);
    const grant = await portico.fetch('/oauth2/grant?client_id=ext@system&response_type=code&state=1', {
      method: 'POST',
      headers: { cookie },
    });
    const code = new URL(grant.headers.get('location')!).searchParams.get('code')!;
    const exchanged = await portico.fetch('/oauth2/token', {
      method: 'POST',
      headers: basic('ext@system', 'portico-demo'),
      body: new URLSearchParams({ grant_type: 'authorization_code', code }),
    });
    const { access_token } = (await exchanged.json()) as { access_token: string };
    for (const headers of [demo, { 'auth-token': token }, { authorization: `Bearer ${access_token}` }] as Record<
      string,
      string
    >[]) {
      const response = await portico.fetch('/rest/acceptor', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify([object('acc-ways')]),
      });
      expect(response.status, JSON.stringify(headers)).to.equal(200);
    }
    expect(
      (
        await portico.fetch('/rest/acceptor', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '[]',
        })
      ).status,
    ).to.equal(401);
  });

  it('answers 400 with the HTML page Bad Request when one object is wrong, and stores none', async () => {
    const answer = await post([object('acc-good'), object('acc-bad', { string_text: 7 })]);
    expect(answer.status).to.equal(400);
    expect(answer.headers.get('content-type')).to.match(/^text\/html/);
    expect(answer.text).to.include('Bad Request');
    expect((await read('acc-good')).status).to.equal(404);
  });

  it('tells the reasons by index to a client that accepts problem+json', async () => {
    const answer = await post([object('acc-good'), object('acc-bad', { string_text: 7 })], {
      accept: 'application/problem+json',
    });
    expect(answer.status).to.equal(400);
    expect(answer.json().errors[0]).to.include({ index: 1, property: 'string_text' });
  });

  it('requires Content-Type: application/json', async () => {
    const answer = await post(JSON.stringify([object('acc-5')]), { 'content-type': 'text/plain' });
    expect(answer.status).to.equal(400);
    expect(answer.text).to.include('Bad Request');
  });

  it('answers 403 to who has no rights on a class, and stores nothing', async () => {
    const answer = await post([object('acc-6')], basic('user@local', 'portico-demo'));
    expect(answer.status).to.equal(403);
    expect((await read('acc-6')).status).to.equal(404);
  });

  it('stores the good ones with _mode=partial, and nothing with _dryRun=1', async () => {
    const partial = await post([object('acc-7'), object('acc-8', { string_text: [] })], {}, '?_mode=partial');
    expect(partial.status).to.equal(207);
    expect(partial.json().map((one: { status: number }) => one.status)).to.deep.equal([200, 400]);
    expect((await read('acc-7')).status).to.equal(200);
    expect((await post([object('acc-9')], {}, '?_dryRun=1')).status).to.equal(200);
    expect((await read('acc-9')).status).to.equal(404);
  });

  it('takes NDJSON line by line and answers a line for each', async () => {
    const lines = [object('nd-1'), object('nd-2', { string_text: 1 }), object('nd-3')]
      .map((one) => JSON.stringify(one))
      .join('\n');
    const answer = await post(lines, { 'content-type': 'application/x-ndjson' });
    expect(answer.status).to.equal(200);
    const results = answer.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(results.map((one) => one.status)).to.deep.equal([200, 400, 200]);
  });
});
