import { expect } from 'chai';
import type { Rights } from '#access/rights.ts';
import { createAccounts } from '#accounts/accounts.ts';
import type { Envelope, Handler, ServiceRequest } from '#service/index.ts';
import { createServiceTokens, type ServiceTokens } from '#tokens/service-tokens.ts';
import { openFixture, type Fixture } from '../../../test/support/open-fixture.ts';
import { TokenService } from './token-service.ts';

describe('service token', () => {
  let fixture: Fixture;
  let tokens: ServiceTokens;
  let asked: string[];
  let call: (
    method: string,
    request?: Partial<ServiceRequest> & { readonly token?: string },
  ) => Promise<Envelope | null>;
  const codeOf = (work: Promise<unknown>) => work.then(() => 'done', (error: { code: string }) => error.code); // prettier-ignore

  beforeEach(async () => {
    fixture = await openFixture();
    const accounts = await createAccounts(fixture.deps);
    await accounts.create({ identity: 'demo@local' });
    tokens = createServiceTokens({ ...fixture.deps, accounts });
    asked = [];
    const rightsOf = async (identity: string | null) =>
      ({ may: (...words: string[]) => (asked.push(words.join(' ')), identity === 'demo@local') }) as unknown as Rights;
    const handlers = new Map<string, Handler>();
    const service = new TokenService({ tokens, access: { rightsOf }, lifetime: 3600 });
    service.routes({ add: (method, path, handler) => void handlers.set(`${method} ${path}`, handler) });
    call = async (method, { token = '', ...request } = {}) => {
      const user = { id: 'demo@local', name: 'Demo', properties: {} };
      const get = (name: string) => (name === 'auth-token' ? token : '');
      const handler = handlers.get(`${method === 'HEAD' ? 'GET' : method} /`)!;
      return (await handler({ method, user, get, ...request } as ServiceRequest)) as Envelope | null;
    };
  });
  afterEach(() => fixture.close());

  it('gives the bare token as text that nobody may keep', async () => {
    const { data, headers } = (await call('GET'))!;
    expect(data).to.match(/^[a-z0-9]{40}$/);
    expect(headers).to.deep.equal({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
    expect((await tokens.find(data as string))?.owner.id).to.equal('demo@local');
    expect(asked).to.deep.equal(['use ws:::gen-ws-token']);
    const [record] = await tokens.list('demo@local');
    expect(record!.expires - record!.created).to.equal(3_600_000);
  });

  it('takes a lifetime in seconds and a name', async () => {
    await call('POST', { body: { ttl: '60', name: 'night export' } });
    await call('POST', { body: undefined });
    const [later, first] = await tokens.list('demo@local');
    expect([first!, later!].map((one) => one.name)).to.have.members(['night export', '']);
    const named = [first!, later!].find(({ name }) => name !== '')!;
    expect(named.expires - named.created).to.equal(60_000);
  });

  it('answers 400 to a lifetime or a name that is none', async () => {
    for (const body of [
      { ttl: 0 },
      { ttl: -1 },
      { ttl: 1.5 },
      { ttl: 'soon' },
      { ttl: 1e12 },
      { name: 7 },
      'text',
      [1],
    ]) {
      expect(await codeOf(call('POST', { body })), JSON.stringify(body)).to.equal('bad_request');
    }
    expect(await tokens.list('demo@local')).to.deep.equal([]);
  });

  it('refuses who has no right to make tokens, and nobody', async () => {
    const user = { id: 'user@local', name: '', properties: {} };
    expect(await codeOf(call('GET', { user }))).to.equal('forbidden');
    expect(await codeOf(call('POST', { user, body: {} }))).to.equal('forbidden');
    expect(await codeOf(call('GET', { user: null }))).to.equal('unauthenticated');
  });

  it('makes nothing for HEAD', async () => {
    await call('HEAD');
    expect(await tokens.list('demo@local')).to.deep.equal([]);
  });

  it('ends the token in auth-token', async () => {
    const token = (await call('GET'))!.data as string;
    expect(await call('DELETE', { token })).to.equal(null);
    expect(await tokens.find(token)).to.equal(undefined);
    expect(await codeOf(call('DELETE', { token }))).to.equal('not_found');
    expect(await codeOf(call('DELETE'))).to.equal('bad_request');
  });
});
