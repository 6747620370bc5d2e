import { expect } from 'chai';
import { basic, demo, startPortico, type RunningPortico } from '../support/start-portico.ts';

describe('services under {base_url}/rest/<service_name> and their authentication', () => {
  let portico: RunningPortico;
  before(async () => {
    portico = await startPortico();
  });
  after(() => portico.stop());

  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await portico.fetch(path, { method, headers });
    const text = await response.text();
    return { status: response.status, text, headers: response.headers, json: () => JSON.parse(text) };
  };
  const serviceToken = async () => (await get('/rest/token', demo)).text;

  describe('echo, mode none', () => {
    it('answers GET without credentials', async () => {
      const answer = await get('/rest/echo');
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.match(/^application\/json/);
      expect(answer.json().user).to.equal(null);
    });

    it('does not look at credentials that are given, right or wrong', async () => {
      for (const headers of [demo, basic('demo@local', 'wrong'), { 'auth-token': 'nonsense' }]) {
        const answer = await get('/rest/echo', headers);
        expect(answer.status).to.equal(200);
        expect(answer.json().user).to.equal(null);
      }
    });
  });

  describe('standard account authentication, the default', () => {
    const ways: Record<string, Record<string, string>> = {
      'HTTP Basic with <user>@<user_type>': demo,
      'auth-user, auth-pwd and auth-user-type': {
        'auth-user': 'demo',
        'auth-pwd': 'portico-demo',
        'auth-user-type': 'local',
      },
      'auth-user as <user>@<user_type> and auth-pwd': { 'auth-user': 'demo@local', 'auth-pwd': 'portico-demo' },
      'Basic with a url-encoded user name': basic('demo%40local', 'portico-demo'),
    };
    for (const [name, headers] of Object.entries(ways)) {
      it(`takes ${name}`, async () => {
        const answer = await get('/rest/simple', headers);
        expect(answer.status).to.equal(200);
        expect(answer.json().user).to.equal('demo@local');
      });
    }

    it('answers 401 with a Basic challenge when credentials are missing or incomplete', async () => {
      for (const headers of [
        {},
        { 'auth-user': 'demo@local' },
        { authorization: 'Basic' },
        { authorization: 'Basic !!!' },
      ]) {
        const answer = await get('/rest/simple', headers);
        expect(answer.status).to.equal(401);
        expect(answer.headers.get('www-authenticate')).to.match(/^Basic realm=/);
        expect(answer.text).to.not.equal('');
      }
    });

    it('gives the type system to a name without one', async () => {
      const answer = await get('/rest/simple', basic('ext', 'portico-demo'));
      expect(answer.json().user).to.equal('ext@system');
    });

    it('ignores Authorization when auth-user is present', async () => {
      const answer = await get('/rest/simple', { ...demo, 'auth-user': 'demo@local', 'auth-pwd': 'wrong' });
      expect(answer.status).to.equal(401);
    });

    it('answers a wrong password, an unknown and a disabled account alike', async () => {
      expect((await portico.cliWith('some-password-1\n', 'user', 'add', 'gone@local')).code).to.equal(0);
      expect((await portico.cli('user', 'disable', 'gone@local')).code).to.equal(0);
      const answers = await Promise.all([
        get('/rest/simple', basic('user@local', 'wrong')),
        get('/rest/simple', basic('nobody@local', 'wrong')),
        get('/rest/simple', basic('gone@local', 'some-password-1')),
      ]);
      for (const answer of answers) {
        expect(answer.status).to.equal(401);
        expect(answer.text).to.equal(answers[0].text);
      }
    });

    it('does not take a service token', async () => {
      expect((await get('/rest/simple', { 'auth-token': await serviceToken() })).status).to.equal(401);
    });

    it('never reads the session cookie', async () => {
      const signed = await portico.fetch('/auth', {
        method: 'POST',
        body: new URLSearchParams({ username: 'demo', password: 'portico-demo' }),
      });
      const cookie = signed.headers.getSetCookie()[0]!.split(';')[0]!;
      expect((await get('/rest/simple', { cookie })).status).to.equal(401);
    });
  });

  describe('token authentication', () => {
    it('issues at /rest/token 40 characters a-z0-9 as text, to who may', async () => {
      const answer = await get('/rest/token', demo);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.match(/^text\/plain/);
      expect(answer.text).to.match(/^[a-z0-9]{40}$/);
      expect((await get('/rest/token', basic('user@local', 'portico-demo'))).status).to.equal(403);
    });

    it('takes the token in auth-token, with GET and POST, or as a bearer token', async () => {
      const token = await serviceToken();
      for (const [headers, method] of [
        [{ 'auth-token': token }, 'GET'],
        [{ 'auth-token': token }, 'POST'],
        [{ authorization: `Bearer ${token}` }, 'GET'],
      ] as [Record<string, string>, string][]) {
        const answer = await get('/rest/echo-token', headers, method);
        expect(answer.status).to.equal(200);
        expect(answer.json().user).to.equal('demo@local');
      }
    });

    it('answers 401 without a token, 403 to one that is not live, and does not take a password', async () => {
      expect((await get('/rest/echo-token')).status).to.equal(401);
      expect((await get('/rest/echo-token', { 'auth-token': 'a'.repeat(40) })).status).to.equal(403);
      expect((await get('/rest/echo-token', demo)).status).to.equal(401);
    });

    it('limits the lifetime of tokens and revokes them', async () => {
      const short = await portico.fetch('/rest/token', {
        method: 'POST',
        headers: { ...demo, 'content-type': 'application/json' },
        body: '{"ttl":1}',
      });
      const token = await short.text();
      expect((await get('/rest/echo-token', { 'auth-token': token })).status).to.equal(200);
      await new Promise((resolve) => setTimeout(resolve, 1100));
      expect((await get('/rest/echo-token', { 'auth-token': token })).status).to.equal(403);
      const other = await serviceToken();
      expect(
        (await portico.fetch('/rest/token', { method: 'DELETE', headers: { ...demo, 'auth-token': other } })).status,
      ).to.equal(200);
      expect((await get('/rest/echo-token', { 'auth-token': other })).status).to.equal(403);
    });
  });

  describe("a service's place", () => {
    it('answers 404 to a service that is not registered, without asking who calls', async () => {
      const answer = await get('/rest/nothing-here');
      expect([answer.status, answer.text]).to.deep.equal([404, 'Service not found']);
    });

    it('asks for credentials before it tells of paths and methods', async () => {
      expect((await get('/rest/simple/unknown')).status).to.equal(401);
      expect((await get('/rest/simple', {}, 'DELETE')).status).to.equal(401);
      expect((await get('/rest/simple/unknown', demo)).status).to.equal(404);
      const refused = await get('/rest/simple', demo, 'DELETE');
      expect(refused.status).to.equal(405);
      expect(refused.headers.get('allow')).to.include('GET');
    });

    it('answers HEAD where GET is answered, a trailing slash too', async () => {
      expect((await get('/rest/echo', {}, 'HEAD')).status).to.equal(200);
      expect((await get('/rest/echo/')).status).to.equal(200);
    });
  });
});
