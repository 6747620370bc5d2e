import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { sendRaw } from '../support/raw-http.ts';
import { basic, demo, signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';

const seed = 20_261_121;
const milliseconds = 2500; // each of two runs ends here at the latest
const patience = 5000;

/** Every route of the demo, with objects that are there and some that are not. */
const routes = [
  ...[
    'echo',
    'simple',
    'echo-token',
    'echo-oauth',
    'string-list',
    'legacy-list',
    'picture',
    'rows',
    'acceptor',
    'token',
    'faulty/forbidden',
    'nothing',
  ].map((name) => `/rest/${name}`),
  ...['class_string', 'publication', 'section', 'sample', 'order', 'remark', 'record', 'address', 'nothing'].flatMap(
    (name) => [`/rest/crud/${name}@demo`, `/rest/crud/${name}@demo/_search`, `/rest/crud/${name}@demo/1`],
  ),
  '/rest/crud/section@demo/fin',
  '/rest/crud/order@demo/fin_2025_1',
  '/rest/crud/publication@demo/018f3c22-92c8-7d05-8000-000000000001',
  '/rest/crud/publication@demo/018f3c22-92c8-7d05-8000-000000000001/attachment',
  '/rest/crud/sample@demo/1/papers/x',
  '/rest/crud',
  '/rest',
  '/auth',
  '/auth/sign-out',
  '/auth/new-password',
  '/auth/assets/x/portico.css',
  '/oauth2/grant',
  '/oauth2/code',
  '/oauth2/token',
  '/oauth2/introspect',
  '/oauth2/revoke',
  '/oauth2/userinfo',
  '/oauth2/jwks',
  '/oauth2/end-session',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/registry-ajax-api/rest/echo-token',
  '/registry-ajax-api/rest/string-list',
  '/registry-ajax-api',
  '/',
  '/healthz',
  '/readyz',
  '/nothing',
];
const methods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'SEARCH',
  'TRACE',
  'PROPFIND',
  'LINK',
  'QUERY',
];
const types = [
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/x-ndjson',
  'text/plain',
  'application/octet-stream',
  'application/problem+json',
  'nonsense',
  'application/json; charset="',
  '',
];
const words = [
  'string_text',
  'name',
  '_id',
  'id',
  '_class',
  '__class',
  '_sort',
  '_eager',
  '_fields',
  '_count',
  '_offset',
  '_total',
  '_mode',
  '_dryRun',
  'filter',
  'section',
  'remarks',
  'publications',
  'attachment',
  'loan',
  'position',
  'tags',
  'opening',
  'price',
  'number',
  'username',
  'password',
  'continue',
  'client_id',
  'response_type',
  'redirect_uri',
  'scope',
  'state',
  'prompt',
  'max_age',
  'claims',
  'request',
  'grant_type',
  'code',
  'ttl',
  'ticket',
  '__proto__',
  'constructor',
  'toString',
  '$where',
  '$or',
  'eq',
  'and',
  'op',
  'path',
];
const odd = [
  '',
  'null',
  '-1',
  '1e400',
  'NaN',
  '9'.repeat(30),
  '2025-13-45',
  '%',
  '\0',
  '\ud800',
  '$string_text',
  'fin',
  'class_string@demo',
  'sample@demo',
  'ext@system',
  'code',
  '../..',
  'a'.repeat(300),
  '[]',
  '{}',
  'ÿ',
  '\r\nx: y',
  '1',
  'true',
  'self offline_access',
  'login consent',
];

const word = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, fc.string({ maxLength: 12 }));
const text = fc.oneof(fc.constantFrom(...odd), fc.string({ maxLength: 30, unit: 'binary' }));
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.maxSafeInteger()),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(word, tie('any'), { maxKeys: 5 }),
  ),
})).any;
const objects = fc.dictionary(word, value, { maxKeys: 6 });
const pairs = fc.array(fc.tuple(word, text), { maxLength: 6 });
const encode = (list: readonly (readonly [string, string])[]) =>
  list
    .map(([name, one]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(one.toWellFormed())}`)
    .join('&');
const brackets = fc
  .tuple(word, fc.array(fc.constantFrom('[]', '[a]', '[__proto__]', '[0]', '[$ne]', '.a', '['), { maxLength: 4 }), text)
  .map(
    ([name, more, one]) =>
      `${encodeURIComponent(name.toWellFormed())}${more.join('')}=${encodeURIComponent(one.toWellFormed())}`,
  );
const multipart = fc.array(fc.tuple(word, fc.option(text), text), { maxLength: 4 }).map((parts) => {
  const head = (name: string, file: string | null) =>
    `Content-Disposition: form-data; name="${name}"${file === null ? '' : `; filename="${file}"\r\nContent-Type: application/pdf`}`;
  return `${parts.map(([name, file, one]) => `--x\r\n${head(name, file)}\r\n\r\n${one}\r\n`).join('')}--x--\r\n`;
});
const json = fc
  .oneof({ weight: 3, arbitrary: objects }, value, fc.array(objects, { maxLength: 4 }))
  .map((one) => JSON.stringify(one));
const body = fc
  .oneof(
    { weight: 4, arbitrary: json },
    { weight: 2, arbitrary: pairs.map(encode) },
    { weight: 2, arbitrary: multipart },
    fc.tuple(json, fc.nat(200)).map(([one, length]) => one.slice(0, length)),
    fc.array(json, { maxLength: 5 }).map((lines) => lines.join('\n')),
    fc.string({ maxLength: 60, unit: 'binary' }),
    fc.constant(''),
  )
  .chain((one) => fc.constantFrom<string | Buffer>(one, one, one, Buffer.from(one, 'utf16le'), gzipSync(one)));

const name = fc.constantFrom(
  'accept',
  'content-encoding',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'svc-converter',
  'x-request-id',
  'origin',
  'sec-fetch-site',
  'range',
  'upgrade',
  'te',
  'x-forwarded-for',
  'auth-token',
  'auth-user-type',
  'prefer',
  'x-http-method-override',
  'accept-language',
);
const plain = fc.oneof(
  fc.constantFrom(
    '*',
    '"1"',
    'W/"1"',
    'gzip',
    'text/html',
    'application/problem+json',
    'rows',
    'null',
    'cross-site',
    'bytes=0-',
    '100-continue',
    'websocket',
    ',,,',
    'q=;',
  ),
  fc.string({ maxLength: 20 }).map((one) => one.replace(/[^\x20-\x7e]/g, '')),
);

const call = fc.record({
  method: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('GET', 'POST', 'PATCH', 'SEARCH') },
    fc.constantFrom(...methods),
  ),
  route: fc.constantFrom(...routes),
  suffix: fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    fc.constantFrom('/', '//', '/..', '/%', '/%00', '/%2e%2e', '/;x', '/a/b/c/d', '/%ff', '/__proto__'),
  ),
  query: fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    pairs.map(encode),
    fc.array(brackets, { maxLength: 4 }).map((list) => list.join('&')),
  ),
  type: fc.constantFrom(...types),
  caller: fc.oneof(
    { weight: 8, arbitrary: fc.constant('known') },
    fc.constantFrom('editor', 'bearer', 'nobody', 'nonsense'),
  ),
  headers: fc.dictionary(name, plain, { maxKeys: 3 }),
  body,
});
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

describe('Fuzz: no input gives a 5xx, hangs or ends the process', () => {
  let portico: RunningPortico;
  let callers: Readonly<Record<string, Record<string, string>>>;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });

  before(async () => {
    portico = await startPortico({ env: { AUTH_ADDRESS_FAILURES: '1000000', AUTH_MAX_FAILURES: '1000000' } });
    const cookie = await signIn(portico);
    const token = await (await portico.fetch('/rest/token', { headers: demo })).text();
    const granted = await portico.fetch('/oauth2/grant?client_id=ext@system&response_type=code', {
      method: 'POST',
      headers: { cookie },
    });
    const code = new URL(granted.headers.get('location')!).searchParams.get('code')!;
    const exchange = {
      method: 'POST',
      headers: basic('ext@system', 'portico-demo'),
      body: new URLSearchParams({ grant_type: 'authorization_code', code }),
    };
    const { access_token: access } = (await (await portico.fetch('/oauth2/token', exchange)).json()) as {
      access_token: string;
    };
    callers = {
      known: { ...demo, cookie, 'auth-token': token },
      editor: basic('editor@local', 'portico-demo'),
      bearer: { authorization: `Bearer ${access}` },
      nobody: {},
      nonsense: { authorization: 'Basic :::', cookie: 'portico=;;=x; portico="a.b"' },
    };
  });
  after(() => {
    agent.destroy();
    return portico?.stop();
  });
  afterEach(async () => {
    expect(portico.process.exitCode).to.equal(null);
    const answer = await portico.fetch('/rest/crud/section@demo?_count=1', { headers: demo });
    expect(answer.status).to.equal(200);
  });

  async function send({ method, route, suffix, query, type, caller, headers, body: sent }: Call): Promise<number> {
    // whoever signs out ends what the calls after this one need
    const given = route === '/auth/sign-out' ? {} : callers[caller];
    const hasBody = sent.length > 0 && method !== 'TRACE';
    const request = httpRequest(`${portico.url}${route}${suffix}${query === '' ? '' : `?${query}`}`, {
      method,
      agent,
      headers: {
        ...headers,
        ...given,
        ...(type === '' ? {} : { 'content-type': type }),
        ...(hasBody ? { 'content-length': Buffer.byteLength(sent) } : {}),
      },
      signal: AbortSignal.timeout(patience),
    });
    request.end(hasBody ? sent : undefined);
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
    for await (const _ of response);
    return response.statusCode!;
  }

  const limits = { seed, numRuns: 3000, interruptAfterTimeLimit: milliseconds, endOnFailure: true };

  it('with odd methods, addresses, headers and bodies on every route', async () => {
    await fc.assert(
      fc.asyncProperty(call, async (one) => {
        const status = await send(one).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return 0; // refused before all of it was sent
          throw error;
        });
        expect(status).to.be.below(500);
      }),
      limits,
    );
  }).timeout(30_000);

  it('with bytes that are no HTTP, or nearly', async () => {
    const line = fc
      .tuple(
        fc.constantFrom(...methods, 'get', '', 'GET GET'),
        fc.constantFrom(...routes, '*', 'x', 'http://x/rest/echo', '/\\', '/rest/echo\t'),
        fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', ''),
      )
      .map((parts) => parts.join(' '));
    const header = fc.oneof(
      fc.constantFrom(
        'Host: x',
        'Content-Length: 5',
        'Content-Length: x',
        'Transfer-Encoding: chunked',
        'Connection: upgrade',
        ': x',
        'X',
        'X : y',
        'Expect: 100-continue',
        `Authorization: ${demo.authorization}`,
        'Content-Type: application/json',
      ),
      fc.string({ maxLength: 30, unit: 'binary' }),
    );
    const bytes = fc
      .tuple(
        line,
        fc.array(header, { maxLength: 5 }),
        fc.constantFrom('\r\n', '\n', '\r'),
        fc.string({ maxLength: 40, unit: 'binary' }),
        fc.boolean(),
      )
      .map(([first, headers, end, rest, isWhole]) =>
        [first, ...headers, 'Connection: close', ...(isWhole ? ['', rest] : [rest])].join(end),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 8, maxLength: 8 }), async (list) => {
        const answers = await Promise.all(list.map((one) => sendRaw(portico.url, one, 60)));
        for (const { statuses, text: answered } of answers) {
          for (const status of statuses) expect(status, answered).to.be.below(500);
        }
      }),
      limits,
    );
  }).timeout(30_000);
});
