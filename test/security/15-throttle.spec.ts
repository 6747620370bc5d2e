import { expect } from 'chai';
import { basic, signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';
import { writeApplication } from '../support/write-application.ts';

const password = 'the-right-password';
const names = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus', 'hal', 'ida', 'kim'];
const client = basic('app@system', password);
const paths = { '/rest/guarded': { get: true } };
const gate = { base: '/gate', clientId: 'gate@system', clientSecret: password, definition: { paths } };

describe('15. Failures throttle across Basic, headers, /auth and tokens together, per account and per address', () => {
  let portico: RunningPortico;
  let application: Awaited<ReturnType<typeof writeApplication>>;
  before(async () => {
    application = await writeApplication({
      'deploy.json': {
        namespace: 'throttle',
        modules: {
          rest: {
            globals: {
              authMode: { guarded: 'token' },
              di: { guarded: { module: './open' }, open: { module: './open' } },
            },
          },
          registry: { globals: { di: { gate: { module: 'modules/rest/client/GateWay', options: gate } } } },
        },
      },
      'open.ts': `import { Service } from 'portico';
        export default class Open extends Service { routes(routes) { routes.add('GET', '/', ({ user }) => user.id); } }`,
      'acl/access.json': {
        users: [
          ...names.map((id) => ({ id, type: 'local', pwd: password, roles: ['maker'] })),
          ...['app', 'gate'].map((id) => ({ id, type: 'system', pwd: password, roles: ['maker'] })),
        ],
        roles: [{ id: 'maker', permissions: { 'ws:::gen-ws-token': ['use'] } }],
      },
    });
    portico = await startPortico({
      application: application.folder,
      env: {
        TRUST_PROXY: '1',
        AUTH_MAX_FAILURES: '5',
        AUTH_FIRST_WAIT: '1',
        AUTH_ADDRESS_FAILURES: '20',
        AUTH_REMEMBER: '0',
        REST_TOKEN_LIFETIME: '3', // the gateway renews at half of it
      },
    });
  });
  after(async () => {
    await portico?.stop();
    await application?.remove();
  });

  let addresses = 0;
  /** Each call from another address, unless one is named. */
  const from = (address = `10.0.${(addresses += 1) >> 8}.${addresses & 255}`) => ({ 'x-forwarded-for': address });
  const get = (headers: Record<string, string>, path = '/rest/open') =>
    portico.fetch(path, { headers: { ...from(), ...headers } });
  const wait = (answer: Response) => Number(answer.headers.get('retry-after'));

  const tokenOf = async (user: string) => {
    const headers = { ...basic(user, password), ...from(), 'content-type': 'application/json' };
    const answer = await portico.fetch('/rest/token', { method: 'POST', headers, body: '{"ttl":60}' });
    return answer.text();
  };

  type Guess = (user: string, address?: string) => Promise<Response>;
  const ways: Readonly<Record<string, Guess>> = {
    basic: (user, address) => get({ ...basic(user, 'wrong'), ...from(address) }),
    headers: (user, address) => get({ 'auth-user': user, 'auth-pwd': 'wrong', ...from(address) }),
    form: (user, address) => {
      const body = new URLSearchParams({ username: user, password: 'wrong' });
      return portico.fetch('/auth', { method: 'POST', headers: from(address), body });
    },
    json: (user, address) => {
      const body = JSON.stringify({ username: user, password: 'wrong' });
      return portico.fetch('/auth', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...from(address) },
        body,
      });
    },
  };

  it('counts the failures of an account over all ways of signing in together', async () => {
    for (const way of ['basic', 'headers', 'form', 'json', 'basic']) await ways[way]!('ada@local');
    const refused = await get(basic('ada@local', password));
    expect(refused.status).to.equal(429);
    expect(wait(refused)).to.be.within(1, 2);
    const form = new URLSearchParams({ username: 'ada@local', password });
    const page = await portico.fetch('/auth', { method: 'POST', headers: from(), body: form });
    expect([page.status, page.headers.getSetCookie()]).to.deep.equal([429, []]);
    expect((await get({ 'auth-user': 'ADA@local', 'auth-pwd': password })).status, 'another spelling').to.equal(429);
    expect((await get(basic('bob@local', password))).status, 'another account').to.equal(200);
  });

  it('counts a failed client login at /oauth2 against the account of the client', async () => {
    const form = new URLSearchParams({ grant_type: 'authorization_code', code: 'x' });
    const login = (headers: Record<string, string>) =>
      portico.fetch('/oauth2/token', { method: 'POST', headers: { ...headers, ...from() }, body: form });
    for (let count = 0; count < 5; count += 1) expect((await login(basic('app@system', 'wrong'))).status).to.equal(401);
    expect((await login(client)).status).to.equal(429);
    expect((await get(client)).status).to.equal(429);
  });

  it('lets waits grow, one attempt after each, and forgets them with a success', async () => {
    const afterWait = async (refused: Response) => {
      expect(refused.status).to.equal(429);
      await new Promise((resolve) => setTimeout(resolve, wait(refused) * 1000 + 50));
    };
    for (let count = 0; count < 5; count += 1) await ways['basic']!('cyd@local');
    const first = await ways['basic']!('cyd@local');
    await afterWait(first);
    const [one, other] = await Promise.all([ways['basic']!('cyd@local'), ways['headers']!('cyd@local')]);
    expect([one.status, other.status].toSorted((a, b) => a - b)).to.deep.equal([401, 429]);
    const second = await get(basic('cyd@local', password));
    expect(wait(second)).to.be.above(wait(first));
    await afterWait(second);
    expect((await get(basic('cyd@local', password))).status).to.equal(200);
    for (let count = 0; count < 4; count += 1) await ways['basic']!('cyd@local');
    expect((await get(basic('cyd@local', password))).status, 'counts from the beginning').to.equal(200);
  });

  it('does not count missing, incomplete or malformed credentials', async () => {
    const address = '10.9.0.1';
    const malformed: readonly Record<string, string>[] = [
      {},
      { authorization: 'Basic !!!' },
      { 'auth-user': 'dan@local' },
      { authorization: 'Bearer x' },
    ];
    for (let count = 0; count < 10; count += 1)
      for (const headers of malformed) expect((await get({ ...headers, ...from(address) })).status).to.equal(401);
    expect((await get({ ...basic('dan@local', password), ...from(address) })).status).to.equal(200);
  });

  it('counts the failures of an address over accounts, unknown ones, tokens and /auth together', async () => {
    const address = '10.8.0.1';
    const token = await tokenOf('eve@local');
    for (let count = 0; count < 5; count += 1) {
      await ways['basic']!(`unknown-${count}@local`, address);
      await ways['json']!(`stranger-${count}@local`, address);
      await ways['headers']!(names[count + 5]!, address);
      const guess = { 'auth-token': 'a'.repeat(39) + count, ...from(address) };
      expect((await get(guess, '/rest/guarded')).status).to.equal(403);
    }
    const right = { ...basic('eve@local', password), ...from(address) };
    expect((await get(right)).status).to.equal(429);
    expect((await get({ 'auth-token': 'b'.repeat(40), ...from(address) }, '/rest/guarded')).status).to.equal(429);
    expect((await get({ ...right, ...from('10.8.0.2') })).status, 'another address').to.equal(200);
    expect(
      (await get({ 'auth-token': token, ...from(address) }, '/rest/guarded')).status,
      'a token that lives',
    ).to.equal(200);
  });

  it('an address cannot be made up without a trusted proxy in between', async () => {
    const address = '10.7.0.1';
    for (let count = 0; count < 20; count += 1)
      await ways['basic']!(`no-${count}@local`, `192.0.2.${count}, ${address}`);
    expect((await ways['basic']!('dan@local', `192.0.2.99, ${address}`)).status).to.equal(429);
  });

  it("does not lock the owner's valid token and session out while the account is flooded", async () => {
    const token = await tokenOf('fay@local');
    const cookie = await signIn(portico, 'fay@local', password);
    for (let count = 0; count < 12; count += 1) await ways['basic']!('fay@local');
    expect((await get(basic('fay@local', password))).status).to.equal(429);
    expect((await get({ 'auth-token': token }, '/rest/guarded')).status).to.equal(200);
    expect(await (await get({ cookie }, '/')).text()).to.include('fay@local');
  });

  it("does not stop the gateway while its client's account is flooded", async () => {
    const cookie = await signIn(portico, 'ida@local', password);
    const end = Date.now() + 2200;
    while (Date.now() < end) {
      await ways['basic']!('gate@system');
      expect((await get({ cookie }, '/gate/rest/guarded')).status).to.equal(200);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
});
