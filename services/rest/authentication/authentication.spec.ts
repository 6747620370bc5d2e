import { expect } from 'chai';
import type { Accounts } from '#accounts/account.ts';
import { createAccounts } from '#accounts/accounts.ts';
import { createThrottle } from '#accounts/throttle.ts';
import { createBearerTokens, keyOf } from '#tokens/bearer.ts';
import { createServiceTokens, type ServiceTokens } from '#tokens/service-tokens.ts';
import { openFixture, type Fixture } from '../../../test/support/open-fixture.ts';
import { createAuthenticators, unknownModes, type Modes } from './index.ts';

const password = 'portico-demo';
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
/** Node gives the bytes of a header one by one. */
const onWire = (text: string) => Buffer.from(text).toString('latin1');
const bearerWith = (token: string) => ({ authorization: `Bearer ${token}` });
const access = 'VL5sGeC2dQxyI7T-PlH8sYt_0aPWgk1u9cEXr3NfBzM';

describe('authentication of /rest', () => {
  let fixture: Fixture;
  let accounts: Accounts;
  let tokens: ServiceTokens;
  let token: string;
  let ask: (modes: Modes, headers?: Record<string, string>, service?: string, method?: string) => Promise<string>;
  /** `demo@local`, `nobody`, or status with the headers of the refusal. */
  let details: (modes: Modes, headers?: Record<string, string>, service?: string, method?: string) => Promise<{ said: string; headers: Record<string, string>; text: string }>; // prettier-ignore

  beforeEach(async () => {
    fixture = await openFixture({ 'auth.addressFailures': 30 });
    accounts = await createAccounts(fixture.deps);
    tokens = createServiceTokens({ ...fixture.deps, accounts });
    const bearer = createBearerTokens({ ...fixture.deps, accounts, isSessionAlive: async () => true });
    const throttle = createThrottle(fixture.deps);
    const scopes = { report: ['reports'] };
    const authenticators = createAuthenticators({ accounts, tokens, bearer, throttle, scopes });
    for (const identity of ['demo@local', 'ext@system', 'a:b@local', 'имя@local'])
      await accounts.create({ identity, password });
    ({ token } = await tokens.make('demo@local', { ttl: 3600 }));
    details = async (modes, headers = {}, service = 'echo', method = 'GET') => {
      const get = (name: string) => headers[name] ?? '';
      const answer = await authenticators(modes, service)({ method, get, ip: '192.0.2.1' });
      if ('user' in answer) return { said: answer.user?.id ?? 'nobody', headers: {}, text: '' };
      const { status, publicText, headers: sent } = answer.refused;
      return { said: String(status), headers: { ...sent }, text: publicText };
    };
    ask = async (...words) => (await details(...words)).said;
  });
  afterEach(() => fixture.close());

  const grant = async (scope: string) => {
    const now = Math.floor(fixture.clock() / 1000);
    const record = {
      kind: 'AccessToken',
      accountId: 'demo@local',
      clientId: 'ext@system',
      scope,
      iat: now,
      exp: now + 60,
      grantId: 'g',
    };
    await fixture.deps.state.put(keyOf('AccessToken', access), JSON.stringify(record), 60_000);
    await fixture.deps.state.put(keyOf('Grant', 'g'), '{}', 60_000);
  };

  describe('mode none', () => {
    it('looks at no credentials, right or wrong', async () => {
      for (const headers of [{}, basic('demo@local:wrong'), basic(`demo@local:${password}`), { 'auth-token': 'x' }]) {
        expect(await ask('none', headers)).to.equal('nobody');
      }
    });
  });

  describe('default mode', () => {
    it('takes Basic, split at the first colon, the name also encoded as in a URL', async () => {
      expect(await ask(undefined, basic(`demo@local:${password}`))).to.equal('demo@local');
      expect(await ask('pwd', basic(`demo%40local:${password}`))).to.equal('demo@local');
      expect(await ask('default', basic(`имя@local:${password}`))).to.equal('имя@local');
      expect(await ask('pwd', basic(`a%3Ab@local:${password}`))).to.equal('a:b@local');
      expect(await ask('pwd', basic(`ext:${password}`)), 'a bare name is of type system').to.equal('ext@system');
      expect(await ask('pwd', { 'auth-user': onWire('имя@local'), 'auth-pwd': password })).to.equal('имя@local');
      await accounts.change('имя@local', { password: 'пароль' });
      expect(await ask('pwd', { 'auth-user': '%D0%B8%D0%BC%D1%8F@local', 'auth-pwd': onWire('пароль') })).to.equal(
        'имя@local',
      );
      await accounts.change('demo@local', { password: 'with:colons:in' });
      expect(await ask('pwd', basic('demo@local:with:colons:in'))).to.equal('demo@local');
    });

    it('takes the credential headers in both forms', async () => {
      expect(await ask('pwd', { 'auth-user': 'demo', 'auth-pwd': password, 'auth-user-type': 'local' })).to.equal(
        'demo@local',
      );
      expect(await ask('pwd', { 'auth-user': 'demo@local', 'auth-pwd': password })).to.equal('demo@local');
      expect(await ask('pwd', { 'auth-user': 'demo@local', 'auth-pwd': password, 'auth-user-type': 'local' })).to.equal(
        'demo@local',
      );
      expect(await ask('pwd', { 'auth-user': 'ext', 'auth-pwd': password })).to.equal('ext@system');
    });

    it('ignores Authorization when auth-user is there', async () => {
      const right = basic(`demo@local:${password}`);
      expect(await ask('pwd', { ...right, 'auth-user': 'demo@local', 'auth-pwd': 'wrong' })).to.equal('401');
      expect(await ask('pwd', { ...right, 'auth-user': 'demo@local' })).to.equal('401');
    });

    it('asks for Basic when credentials are missing or incomplete, which does not count as a failure', async () => {
      const incomplete = [
        {},
        basic('demo@local:'),
        basic('demo@local'),
        basic(`:${password}`),
        { authorization: 'Basic !!' },
        { 'auth-pwd': password },
      ];
      for (const headers of [...incomplete, ...incomplete, ...incomplete]) {
        const answer = await details('pwd', headers);
        expect(answer.said, JSON.stringify(headers)).to.equal('401');
        expect(answer.headers['WWW-Authenticate']).to.match(/^Basic realm="/);
      }
      expect(await ask('pwd', basic(`demo@local:${password}`))).to.equal('demo@local');
    });

    it('answers unknown, wrong and disabled with one and the same refusal', async () => {
      await accounts.change('ext@system', { disabled: true });
      const [wrong, unknown, disabled] = await Promise.all([
        details('pwd', basic('demo@local:wrong')),
        details('pwd', basic(`gone@local:${password}`)),
        details('pwd', basic(`ext@system:${password}`)),
      ]);
      expect(wrong.said).to.equal('401');
      expect(unknown).to.deep.equal(wrong);
      expect(disabled).to.deep.equal(wrong);
    });

    it('does not take a token', async () => {
      expect(await ask('pwd', { 'auth-token': token })).to.equal('401');
      expect(await ask('pwd', bearerWith(token))).to.equal('401');
    });

    it('answers 429 with Retry-After after too many failures, whatever way they came', async () => {
      for (let count = 0; count < 5; count += 1) {
        await ask('pwd', basic(`demo@local:guess${count}`));
        await ask('pwd', { 'auth-user': 'demo@local', 'auth-pwd': `other${count}` });
      }
      const answer = await details('pwd', basic(`demo@local:${password}`));
      expect(answer.said).to.equal('429');
      expect(Number(answer.headers['Retry-After'])).to.be.within(1, 5);
      expect(await ask('token', { 'auth-token': token }), 'the token of the owner works on').to.equal('demo@local');
    });
  });

  describe('mode token', () => {
    it('takes a service token in auth-token or as a bearer token, and no password', async () => {
      expect(await ask('token', { 'auth-token': token })).to.equal('demo@local');
      expect(await ask('token', bearerWith(token))).to.equal('demo@local');
      expect(await ask('token', basic(`demo@local:${password}`))).to.equal('401');
      expect(await ask('token')).to.equal('401');
    });

    it('refuses unknown, revoked and orphaned tokens with 403, without a word about why', async () => {
      const unknown = await details('token', { 'auth-token': 'a'.repeat(40) });
      const orphan = (await tokens.make('ext@system', { ttl: 60 })).token;
      await Promise.all([tokens.revoke(token), accounts.remove('ext@system')]);
      expect(unknown.said).to.equal('403');
      expect(await details('token', { 'auth-token': token })).to.deep.equal(unknown);
      expect(await details('token', { 'auth-token': orphan })).to.deep.equal(unknown);
      expect(await details('token', { 'auth-token': 'x' })).to.deep.equal(unknown);
      expect(unknown.text).to.not.match(/revoked|expired|demo/);
    });

    it('throttles an address that guesses, and lets good tokens from there through', async () => {
      for (let count = 0; count < 30; count += 1)
        expect(await ask('token', { 'auth-token': `x${count}` })).to.equal('403');
      const answer = await details('token', { 'auth-token': 'x' });
      expect(answer.said).to.equal('429');
      expect(Number(answer.headers['Retry-After'])).to.be.within(290, 300);
      expect(await ask('pwd', basic(`demo@local:${password}`)), 'counted together').to.equal('429');
      expect(await ask('token', { 'auth-token': token })).to.equal('demo@local');
    });
  });

  describe('mode oauth', () => {
    it('asks for a bearer token where there is none', async () => {
      for (const headers of [{}, basic(`demo@local:${password}`), { 'auth-token': token }]) {
        const answer = await details('oauth', headers);
        expect(answer).to.deep.include({ said: '401', headers: { 'WWW-Authenticate': 'Bearer realm="Portico"' } });
      }
    });

    it('refuses a token that is not valid, a service token too, as invalid_token', async () => {
      for (const given of [access, token, 'x']) {
        const answer = await details('oauth', bearerWith(given));
        expect(answer.said).to.equal('401');
        expect(answer.headers['WWW-Authenticate']).to.contain('error="invalid_token"');
      }
    });

    it('opens with self, with the scope of the service and with what the setting adds', async () => {
      await grant('openid self');
      expect(await ask('oauth', bearerWith(access))).to.equal('demo@local');
      await grant('svc:echo');
      expect(await ask('oauth', bearerWith(access))).to.equal('demo@local');
      expect(await ask('oauth', bearerWith(access), 'other')).to.equal('403');
      await grant('reports');
      expect(await ask('oauth', bearerWith(access), 'report')).to.equal('demo@local');
      const short = await details('oauth', bearerWith(access), 'echo');
      expect(short.said).to.equal('403');
      expect(short.headers['WWW-Authenticate']).to.contain('error="insufficient_scope"');
      expect(await ask('oauth', bearerWith(access), 'toString')).to.equal('403');
    });
  });

  describe('a list of modes', () => {
    const all: Modes = ['pwd', 'token', 'oauth'];

    it('takes any of its kinds, and only those', async () => {
      await grant('self');
      for (const headers of [
        basic(`demo@local:${password}`),
        { 'auth-token': token },
        bearerWith(token),
        bearerWith(access),
      ]) {
        expect(await ask(all, headers), JSON.stringify(headers)).to.equal('demo@local');
      }
      expect(await ask(['token', 'oauth'], basic(`demo@local:${password}`))).to.equal('401');
      expect(await ask(['pwd', 'oauth'], { 'auth-token': token })).to.equal('401');
      expect(await ask(['pwd', 'oauth'], bearerWith(token))).to.equal('401');
    });

    it('counts no failure when a good token came', async () => {
      await grant('self');
      for (let count = 0; count < 40; count += 1) {
        expect(await ask(all, bearerWith(token))).to.equal('demo@local');
        expect(await ask(all, bearerWith(access))).to.equal('demo@local');
      }
      expect(await ask('token', { 'auth-token': 'x' })).to.equal('403');
    });

    it('refuses as the mode of the credential that came would', async () => {
      expect(await ask(all, { 'auth-token': 'x' })).to.equal('403');
      expect(await ask(all, basic('demo@local:wrong'))).to.equal('401');
      expect((await details(all, bearerWith('x'))).headers['WWW-Authenticate']).to.contain('invalid_token');
      expect((await details(all)).headers['WWW-Authenticate']).to.match(/^Basic/);
      expect((await details(['token', 'oauth'])).headers['WWW-Authenticate']).to.match(/^Bearer/);
    });
  });

  it('lets a token end itself at the service token, and do nothing else there', async () => {
    for (const modes of [undefined, 'oauth'] as Modes[]) {
      expect(await ask(modes, { 'auth-token': token }, 'token', 'DELETE')).to.equal('demo@local');
      expect(await ask(modes, { 'auth-token': 'x' }, 'token', 'DELETE')).to.equal('403');
      expect(await ask(modes, { 'auth-token': token }, 'token', 'GET')).to.equal('401');
      expect(await ask(modes, { 'auth-token': token }, 'echo', 'DELETE')).to.equal('401');
    }
    expect(await ask(undefined, basic(`demo@local:${password}`), 'token', 'DELETE')).to.equal('demo@local');
    expect(await ask('tokn', { 'auth-token': token }, 'token', 'DELETE')).to.equal('401');
  });

  it('refuses everybody where a mode is not known', async () => {
    await grant('self');
    for (const modes of ['nonee', 'None', '', [], ['none', 'tokn'], 'constructor'] as Modes[]) {
      for (const headers of [{}, basic(`demo@local:${password}`), { 'auth-token': token }, bearerWith(access)]) {
        expect(await ask(modes, headers), JSON.stringify(modes)).to.equal('401');
      }
    }
    expect(unknownModes(['none', 'tokn'])).to.deep.equal(['tokn']);
    expect(unknownModes(undefined)).to.deep.equal([]);
  });
});
