import { expect } from 'chai';
import { allow, codeOf, makePkce } from '../support/browser-session.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { basic, demo, signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';

const json = { 'content-type': 'application/json' };
const texts = '/rest/crud/class_string@demo';
/** What nobody but the operator may learn: stacks, places of files, statements and names of stores. */
const internals =
  /\bat (?:async )?\S+ ?\(|node:internal|file:\/\/|\/node_modules\/|\.ts:\d+|\/work\/|\/tmp\/|SQLITE|sqlite|\bselect\b .*\bfrom\b|json_each|ENOENT|EACCES|TypeError|SyntaxError|ReferenceError|RangeError|\[object |undefined is not|Cannot read/i;

describe('20. Errors and logs show no secret, token, password, stack, path or query', () => {
  let portico: RunningPortico;
  const secrets = new Map<string, string>();
  const answers: { readonly to: string; readonly text: string }[] = [];

  const keep = (name: string, secret: string) => {
    secrets.set(name, secret);
    return secret;
  };
  /** Calls, and keeps all that comes back. */
  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await portico.fetch(path, init);
    const text = `${response.status} ${JSON.stringify([...response.headers])} ${await response.clone().text()}`;
    answers.push({ to: `${init.method ?? 'GET'} ${path}`, text });
    return response;
  }
  const post = (path: string, body: string | URLSearchParams | FormData, headers: Record<string, string> = {}) =>
    call(path, { method: 'POST', headers: { ...(typeof body === 'string' ? json : {}), ...headers }, body });

  let token: string;
  let access: string;
  let cookie: string;
  let code: string;

  before(async function () {
    this.timeout(30_000);
    portico = await startPortico({ env: { LOG_LEVEL: 'debug' } });
    cookie = await signIn(portico);
    keep('cookie', cookie.slice(cookie.indexOf('=') + 1));
    token = keep('service token', await (await portico.fetch('/rest/token', { headers: demo })).text());
    const pkce = makePkce();
    const grant = { client_id: 'ext@system', ...pkce.query };
    const exchanged = await portico.fetch('/oauth2/token', {
      method: 'POST',
      headers: basic('ext@system', 'portico-demo'),
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: keep('used code', codeOf(await allow(portico, cookie, grant))),
        code_verifier: keep('verifier', pkce.verifier),
      }),
    });
    access = keep('access token', ((await exchanged.json()) as { access_token: string }).access_token);
    code = keep('code', codeOf(await allow(portico, cookie, grant)));
    keep('password', 'hunter2-hunter2-hunter2');
    await sendSecrets();
  });
  after(() => portico?.stop());

  const password = () => secrets.get('password')!;

  /** Credentials where they belong and where they do not; each call fails or not, none may give them away. */
  async function sendSecrets(): Promise<void> {
    const all = [token, access, code, password()];
    for (const secret of all) {
      const encoded = encodeURIComponent(secret);
      for (const name of [
        'token',
        'access_token',
        'auth-token',
        'password',
        'pwd',
        'secret',
        'code',
        'client_secret',
        'api_key',
        'x',
      ])
        await call(`/rest/simple?${name}=${encoded}`);
      for (const path of ['/auth', '/', '/oauth2/code2', '/healthz', '/rest/faulty/broken'])
        await call(`${path}?password=${encoded}&access_token=${encoded}&next=${encoded}`, { headers: demo });
      for (const name of [
        'x-api-key',
        'x-auth-token',
        'token',
        'password',
        'auth-user-type',
        'proxy-authorization',
        'x-access-token',
        'origin',
        'referer',
        'x-forwarded-for',
        'user-agent',
        'svc-converter',
        'idempotency-key',
        'if-match',
        'accept',
      ])
        await call('/rest/faulty/broken', { headers: { [name]: secret, ...(name === 'auth-user-type' ? {} : demo) } });
      await call('/rest/simple', { headers: { authorization: secret } });
      await call('/rest/simple', { headers: { authorization: `Bearer ${secret}` } });
      await call('/rest/simple', { headers: { authorization: `Token ${secret}` } });
      await call('/rest/simple', { headers: { authorization: `Basic ${secret}` } });
      await call('/rest/simple', { headers: { 'auth-user': secret, 'auth-pwd': secret } });
      await call('/rest/simple', { headers: { cookie: `portico=${secret}; token=${secret}` } });
      await call('/rest/echo-token', { headers: { 'auth-token': `${secret}x` } });
      await call('/rest/echo-oauth', { method: 'POST', headers: { authorization: `Bearer ${secret}x` } });
      await call('/registry-ajax-api/rest/echo-token', {
        headers: { cookie: `portico=${secret}`, 'auth-token': secret },
      });
      await call(`/registry-ajax-api/rest/echo-token?access_token=${encoded}`, { headers: { cookie } });
      await post('/auth', new URLSearchParams({ username: 'demo@local', password: secret }));
      await post('/auth', JSON.stringify({ username: secret, password: 'x' }));
      await post('/auth', `{"username":"demo@local","password":"${secret}"`);
      await post('/auth', `password=${secret}`);
      await post(
        '/oauth2/token',
        new URLSearchParams({
          grant_type: 'authorization_code',
          code: secret,
          client_id: 'ext@system',
          client_secret: secret,
        }),
      );
      await post(
        '/oauth2/token',
        new URLSearchParams({ grant_type: 'refresh_token', refresh_token: secret }),
        basic('ext@system', secret),
      );
      await post('/oauth2/revoke', new URLSearchParams({ token: secret }), basic('ext@system', 'wrong'));
      await post('/oauth2/introspect', new URLSearchParams({ token: secret, client_secret: secret }));
      await post('/rest/token', `{"ttl":"${secret}"}`, demo);
      await post(texts, `{"password":"${secret}"}`, demo);
      await post(texts, `{"token":"${secret}","string_text":5}`, demo);
      await post(texts, `{"string_text":"${secret}"`, demo);
      await post(texts, secret, demo);
      await post('/rest/acceptor', `[{"_class":"sample@demo","secret":"${secret}","name":5}]`, {
        ...demo,
        accept: 'application/problem+json',
      });
      await post('/rest/acceptor', `{"secret":"${secret}`, { ...demo, 'content-type': 'application/x-ndjson' });
      const raw = rawRequest(`GET /rest/simple HTTP/1.1`, [`Authorization : Basic ${secret}`, `X-${secret}\0: 1`]);
      answers.push({ to: 'raw', text: (await sendRaw(portico.url, raw)).text });
    }
    const short = keep('short password', 'pa55!w');
    for (const body of [short, `{"password":${short}}`, `["${short}"`]) await post(texts, body, demo);
    // in the path, where a token is easily put by mistake
    for (const secret of [token, access, code])
      for (const path of [
        `/rest/${secret}`,
        `/rest/token/${secret}`,
        `/rest/crud/${secret}`,
        `${texts}/${secret}`,
        `/auth/${secret}`,
        `/registry-ajax-api/${secret}`,
        `/${secret}`,
      ])
        await portico.fetch(path, { headers: { ...demo, cookie } }).then((response) => response.text());
  }

  it('the log at level debug holds none of them', () => {
    const log = portico.output();
    expect(log.split('\n').length).to.be.above(200);
    expect(log)
      .to.match(/"level":"debug"/)
      .and.include('/rest/faulty/broken');
    for (const [name, secret] of secrets) {
      for (const form of new Set([
        secret,
        encodeURIComponent(secret),
        Buffer.from(`ext@system:${secret}`).toString('base64'),
        Buffer.from(`:${secret}`).toString('base64').slice(4, -4),
      ])) {
        const at = log.indexOf(form);
        expect(
          log.slice(Math.max(0, at - 200), at + 100).trim() && at,
          `${name}: ${log.slice(Math.max(0, at - 200), at + 100)}`,
        ).to.equal(-1);
      }
    }
    expect(log.replace(/^Demo accounts, .*$/m, '')).to.not.include('portico-demo');
  });

  it('the log holds no query', () => {
    for (const line of portico.output().split('\n')) expect(line).to.not.match(/"path":"[^"]*\?/);
  });

  it('no answer to what fails repeats one', () => {
    for (const { to, text } of answers) {
      if (text.startsWith('200')) continue; // echo and crud answer what they were sent
      for (const [name, secret] of secrets)
        expect(text.includes(secret), `${name} in the answer to ${to}: ${text.slice(0, 1500)}`).to.equal(false);
    }
  });

  describe('no answer to what fails tells of the inside', () => {
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      'a service that throws': () => call('/rest/faulty/broken', { headers: demo }),
      'a broken JSON body': () => post(texts, '{"a":', demo),
      'a broken multipart body': () => post(texts, 'x', { ...demo, 'content-type': 'multipart/form-data; boundary=x' }),
      'a broken gzip body': () => post(texts, '{}', { ...demo, 'content-encoding': 'gzip' }),
      'a wrong charset': () => post(texts, '{}', { ...demo, 'content-type': 'application/json; charset=nonsense' }),
      'a broken escape in the address': () => call('/rest/crud/%E0%A4%A/x', { headers: demo }),
      'a file that is none': () => post('/rest/crud/publication@demo', '{"attachment":"../../etc/passwd"}', demo),
      'a file of an object without one': () =>
        call('/rest/crud/publication@demo/018f3c22-92c8-7d05-8000-000000000002/attachment', { headers: demo }),
      'a file by a path': () => call('/rest/crud/publication@demo/x/attachment/..%2f..%2fsecret', { headers: demo }),
      'a filter that fails': () => post(`${texts}/_search`, '{"filter":{"string_text":{"$regex":"["}}}', demo),
      'a filter with quotes': () => call(`${texts}?string_text=%27%22%29%3B--`, { headers: demo }),
      'a sort that fails': () => call(`${texts}?_sort=string_text%29%3B--`, { headers: demo }),
      'a converter that fails': () => post('/rest/acceptor', '5', { ...demo, 'svc-converter': 'rows' }),
      'an OAuth request that fails': () =>
        call('/oauth2/grant?client_id=nobody&response_type=x', { headers: { cookie } }),
      'a token request that fails': () => post('/oauth2/token', '{"a":1}'),
      'a page that is not there': () => call('/auth/assets/../../package.json'),
      'a method that is not there': () => call('/auth', { method: 'DELETE' }),
    };
    for (const [name, make] of Object.entries(calls))
      it(name, async () => {
        const before = answers.length;
        await make();
        for (const { to, text } of answers.slice(before)) expect(text, to).to.not.match(internals);
      });

    it('all the calls with misplaced secrets', () => {
      for (const { to, text } of answers) if (!text.startsWith('200')) expect(text, to).to.not.match(internals);
    });

    it('nor does a header name the software', async () => {
      const response = await call('/rest/echo');
      for (const name of ['server', 'x-powered-by', 'via', 'x-response-time'])
        expect(response.headers.has(name)).to.equal(false);
    });
  });
});
