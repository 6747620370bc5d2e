import { expect } from 'chai';
import { demo, startPortico, type RunningPortico } from '../support/start-portico.ts';

describe('custom services', () => {
  let portico: RunningPortico;
  before(async () => {
    portico = await startPortico();
    const objects = [
      ['list-1', 'apple', 'first'],
      ['list-2', 'apple', 'second'],
      ['list-3', 'pear', 'first'],
    ].map(([_id, string_text, string_miltilinetext]) => ({
      _id,
      _class: 'class_string@demo',
      _classVer: '',
      string_text,
      string_miltilinetext,
    }));
    const stored = await portico.fetch('/rest/acceptor', {
      method: 'POST',
      headers: { ...demo, 'content-type': 'application/json' },
      body: JSON.stringify(objects),
    });
    expect(stored.status).to.equal(200);
  });
  after(() => portico.stop());

  for (const service of ['string-list', 'legacy-list']) {
    describe(`${service} at POST {base_url}/rest/${service}/`, () => {
      const list = async (body?: URLSearchParams | object) => {
        const form = body instanceof URLSearchParams;
        const response = await portico.fetch(`/rest/${service}/`, {
          method: 'POST',
          headers: { ...demo, ...(body === undefined || form ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
        });
        expect(response.status).to.equal(200);
        expect(response.headers.get('content-type')).to.match(/^application\/json/);
        return (await response.json()) as Record<string, unknown>[];
      };
      const ids = (items: readonly Record<string, unknown>[]) => items.map((one) => String(one['id'])).sort();

      it('gives one equality condition for one field, from a form and from JSON', async () => {
        expect(ids(await list(new URLSearchParams({ string_text: 'apple' })))).to.deep.equal(['list-1', 'list-2']);
        expect(ids(await list({ string_text: 'apple' }))).to.deep.equal(['list-1', 'list-2']);
      });

      it('gives a conjunction for two fields', async () => {
        expect(ids(await list({ string_text: 'apple', string_miltilinetext: 'first' }))).to.deep.equal(['list-1']);
      });

      it('adds no condition for a field that is absent or empty; with no fields, all objects are returned', async () => {
        expect(ids(await list({ string_text: '', string_miltilinetext: 'second' }))).to.deep.equal(['list-2']);
        const all = await list();
        expect(ids(all)).to.include.members(['list-1', 'list-2', 'list-3']);
        expect(ids(await list({}))).to.deep.equal(ids(all));
      });

      it('carries __class, __classTitle, id and the three texts', async () => {
        const [item] = await list({ string_text: 'pear' });
        expect(item).to.include({
          __class: 'class_string@demo',
          __classTitle: 'String',
          id: 'list-3',
          string_text: 'pear',
          string_miltilinetext: 'first',
        });
        expect(item).to.have.property('string_formattext');
      });

      it('takes a value that looks like an operator as data', async () => {
        expect(await list({ string_text: '$string_miltilinetext' })).to.deep.equal([]);
      });
    });
  }

  it('answers the headers that a service gives, with its bytes', async () => {
    const response = await portico.fetch('/rest/picture', { headers: demo });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).to.equal('image/png');
    expect(Number(response.headers.get('content-length'))).to.equal(bytes.length);
    expect(bytes.subarray(1, 4).toString()).to.equal('PNG');
  });

  it('answers an access-control error with 403 and its text', async () => {
    const response = await portico.fetch('/rest/faulty/forbidden', { headers: demo });
    expect(response.status).to.equal(403);
    expect(await response.text()).to.equal('Only members of the board may see this');
  });

  it('answers any other error with 500 and the message Internal server error, and logs it with the request', async () => {
    const response = await portico.fetch('/rest/faulty/broken', { headers: demo });
    expect(response.status).to.equal(500);
    expect(await response.text()).to.equal('Internal server error');
    expect(portico.output()).to.include('the ledger is on fire').and.include(response.headers.get('x-request-id')!);
  });
});
