import { expect } from 'chai';
import { basic, demo, startPortico, type RunningPortico } from '../support/start-portico.ts';

const json = { 'content-type': 'application/json' };
const texts = '/rest/crud/class_string@demo';
const editor = basic('editor@local', 'portico-demo');
const nobody = basic('user@local', 'portico-demo');

describe('An answer is given to its own caller alone', () => {
  let portico: RunningPortico;
  let id: string;
  before(async () => {
    portico = await startPortico();
    id = (await create(demo, 'first', { 'idempotency-key': 'the-key-of-demo' })).body._id;
  });
  after(() => portico?.stop());

  async function create(as: Record<string, string>, text: string, headers: Record<string, string> = {}) {
    const body = JSON.stringify({ string_text: text });
    const response = await portico.fetch(texts, { method: 'POST', headers: { ...as, ...json, ...headers }, body });
    return {
      status: response.status,
      body: (await response.json()) as { readonly _id: string; readonly _creator: string },
    };
  }

  it('an Idempotency-Key of another caller repeats nothing', async () => {
    const key = { 'idempotency-key': 'the-key-of-demo' };
    const own = await create(demo, 'first', key);
    expect(own.body._id).to.equal(id);
    const other = await create(editor, 'first', key);
    expect([other.status, other.body._creator]).to.deep.equal([200, 'editor@local']);
    expect(other.body._id).to.not.equal(id);
    expect((await create(nobody, 'first', key)).status).to.equal(403);
  });

  it('an ETag tells nothing to who may not read', async () => {
    const etag = (await portico.fetch(`${texts}/${id}`, { headers: demo })).headers.get('etag')!;
    for (const headers of [{ 'if-none-match': etag }, { 'if-none-match': '*' }, { 'if-match': etag }]) {
      for (const method of ['GET', 'HEAD'])
        expect((await portico.fetch(`${texts}/${id}`, { method, headers: { ...nobody, ...headers } })).status).to.equal(
          403,
        );
      const body = '{"string_text":"x"}';
      const edit = { method: 'PATCH', headers: { ...nobody, ...json, ...headers }, body };
      expect((await portico.fetch(`${texts}/${id}`, edit)).status).to.equal(403);
      expect((await portico.fetch(`${texts}/is-not-there`, edit)).status).to.equal(403);
    }
  });

  it('a request id is repeated only when it is plain, and never tells of another request', async () => {
    for (const given of ['<script>alert(1)</script>', 'a b', 'x'.repeat(65), 'short', '../../x', '"; x="'])
      expect(
        (await portico.fetch('/rest/echo', { headers: { 'x-request-id': given } })).headers.get('x-request-id'),
      ).to.match(/^[0-9a-f-]{36}$/);
    expect(
      (await portico.fetch('/rest/echo', { headers: { 'x-request-id': 'mine-0001' } })).headers.get('x-request-id'),
    ).to.equal('mine-0001');
  });

  it("neither Host nor forwarding headers of a caller get into an answer's addresses", async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
      'x-forwarded-prefix': '/evil.example',
    };
    for (const path of [
      '/.well-known/openid-configuration',
      '/auth',
      '/oauth2/grant?client_id=ext@system&response_type=code',
      `${texts}?_count=1`,
    ]) {
      const response = await portico.fetch(path, { headers: { ...demo, ...headers } });
      expect(`${JSON.stringify([...response.headers])} ${await response.text()}`, path).to.not.include('evil.example');
    }
  });
});
