import { expect } from 'chai';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { basic, demo, signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';

const json = { 'content-type': 'application/json' };
const texts = '/rest/crud/class_string@demo';
const publication = '/rest/crud/publication@demo/018f3c22-92c8-7d05-8000-000000000002';
const evil = '"><img src=x onerror=alert(1)><script>alert(1)</script>\'';

describe('22. Responses carry the security headers; pages a CSP without inline script; formatted text is stored and answered as given', () => {
  let portico: RunningPortico;
  let cookie: string;
  before(async function () {
    this.timeout(20_000);
    portico = await startPortico();
    cookie = await signIn(portico);
    const made = await portico.cli(
      'client',
      'create',
      'evil',
      '--name',
      evil,
      '--redirect-uri',
      'https://client.example/back',
      '--legacy',
    );
    expect(made.code, made.err).to.equal(0);
    const form = new FormData();
    form.set('attachment', new Blob(['%PDF-1.4 <script>alert(1)</script>'], { type: 'text/html' }), 'page.pdf');
    const file = await portico.fetch(publication, { method: 'PATCH', headers: demo, body: form });
    expect(file.status, await file.text()).to.equal(200);
  });
  after(() => portico?.stop());

  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
  const consent = '/oauth2/grant?client_id=evil@system&response_type=code&state=x';

  /** One of each kind: the status it has, and the request. */
  const kinds: Readonly<
    Record<string, readonly [status: number, path: string, init?: RequestInit | (() => RequestInit)]>
  > = {
    health: [200, '/healthz'],
    readiness: [200, '/readyz'],
    'a service': [200, '/rest/echo'],
    'a service with bytes and a type of its own': [200, '/rest/picture', { headers: demo }],
    'an error text of a service': [403, '/rest/faulty/forbidden', { headers: demo }],
    'a fault of a service': [500, '/rest/faulty/broken', { headers: demo }],
    'no credentials': [401, '/rest/simple'],
    'no such service': [404, '/rest/nothing'],
    'no such method': [405, '/rest/simple', { headers: demo, method: 'DELETE' }],
    'an object': [200, publication, { headers: demo }],
    'an object as the client has it': [304, publication, { headers: { ...demo, 'if-none-match': '*' } }],
    'a list': [200, texts, { headers: demo }],
    'a problem': [404, `${texts}/nothing`, { headers: demo }],
    'a file': [200, `${publication}/attachment`, { headers: demo }],
    'a service token': [200, '/rest/token', { headers: demo }],
    'the page of the acceptor': [400, '/rest/acceptor', { method: 'POST', headers: { ...demo, ...json }, body: '[5]' }],
    'lines of the acceptor': [
      200,
      '/rest/acceptor',
      { method: 'POST', headers: { ...demo, 'content-type': 'application/x-ndjson' }, body: '5\n' },
    ],
    'the sign-in page': [
      200,
      `/auth?username=${encodeURIComponent(evil)}&continue=${encodeURIComponent(consent)}&reason=wrong`,
    ],
    'the sign-in page for another reason': [200, `/auth?reason=switch&continue=${encodeURIComponent(consent)}`],
    'a sign-in': [302, '/auth', form({ username: 'demo@local', password: 'portico-demo' })],
    'a refused sign-in': [302, '/auth', form({ username: 'user@local', password: 'wrong' })],
    'the start page': [200, '/', () => ({ headers: { cookie } })],
    'the sign-out page': [200, '/auth/sign-out', () => ({ headers: { cookie } })],
    'the consent page': [200, consent, () => ({ headers: { cookie } })],
    'the way to sign-in': [302, consent],
    'the page with a code': [200, `/oauth2/code?code=${encodeURIComponent(evil)}`],
    'the page without a code': [200, `/oauth2/code?error=${encodeURIComponent(evil)}`],
    'an OAuth error page': [
      400,
      `/oauth2/grant?client_id=evil@system&response_type=code&redirect_uri=${encodeURIComponent(evil)}`,
      () => ({ headers: { cookie } }),
    ],
    'an OAuth error page about a client': [
      400,
      `/oauth2/grant?client_id=${encodeURIComponent(evil)}&response_type=code`,
      () => ({ headers: { cookie } }),
    ],
    'a page that is not there': [404, '/auth/nothing'],
    'a write from another site': [403, '/auth', { ...form({}), headers: { origin: 'https://evil.example' } }],
    discovery: [200, '/.well-known/openid-configuration'],
    keys: [200, '/oauth2/jwks'],
    'a refused token request': [
      401,
      '/oauth2/token',
      { ...form({ grant_type: 'x' }), headers: basic('evil@system', 'wrong') },
    ],
    'the gateway': [200, '/registry-ajax-api/rest/echo-token', () => ({ headers: { cookie } })],
    'the gateway without a session': [401, '/registry-ajax-api/rest/echo-token'],
    'the gateway beside its list': [404, '/registry-ajax-api/rest/simple', () => ({ headers: { cookie } })],
    'nothing at all': [404, '/nothing-here'],
    'an address that is too long': [414, `/rest/echo?${'a'.repeat(9000)}`],
  };

  const shared = new Set(['discovery', 'keys', 'a refused token request']); // other origins may read these, as far as CORS goes
  for (const [name, [status, path, init]] of Object.entries(kinds))
    it(`${name}: ${status}`, async () => {
      const response = await portico.fetch(path, typeof init === 'function' ? init() : init);
      const text = await response.text();
      expect(response.status, text.slice(0, 500)).to.equal(status);
      const { headers } = response;
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('cache-control')).to.match(/no-store|no-cache/);
      if (!shared.has(name)) {
        expect(headers.get('cross-origin-resource-policy')).to.equal('same-origin');
        expect(headers.get('access-control-allow-origin')).to.equal(null);
      }
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy)
        .to.match(/^default-src 'none';/)
        .and.include("frame-ancestors 'none'");
      expect(policy).to.not.match(/unsafe|\*|data:(?!;)(?<!img-src 'self' data:)|https?:(?!\/\/client\.example)/);
      if (/html/.test(headers.get('content-type') ?? '') && !headers.has('content-disposition')) checkPage(text);
      // the address of a page may hold a code or a ticket
      if (/style-src/.test(policy)) expect(headers.get('referrer-policy')).to.equal('same-origin');
      if (status >= 400 || path.startsWith('/rest')) expect(headers.getSetCookie()).to.deep.equal([]);
    });

  /** Nothing that a policy without inline script would have to refuse, and nothing of what was sent as markup. */
  function checkPage(page: string): void {
    expect(page).to.not.match(
      /<script(?![^>]*\ssrc="\/auth\/assets\/)|<style|\sstyle=|<img|\son[a-z]+\s*=\s*["']|javascript:|<base|<iframe|http-equiv/i,
    );
    for (const [tag] of page.matchAll(/<script[^>]*>[^<]*<\/script>/g)) expect(tag).to.match(/><\/script>$/);
    for (const [, address] of page.matchAll(/\s(?:href|src|action|formaction)="([^"]*)"/g))
      expect(address).to.match(/^(\/(?!\/)|#|$)/, page.slice(0, 300));
  }

  it('what Node answers itself: 400 and 431', async () => {
    const answers = [
      await sendRaw(portico.url, 'NONSENSE\r\n\r\n'),
      await sendRaw(portico.url, rawRequest('GET / HTTP/1.1', [`X-A: ${'a'.repeat(20_000)}`])),
      await sendRaw(portico.url, rawRequest('GET http://evil.example/ HTTP/1.1')),
      await sendRaw(portico.url, 'GET /rest/echo HTTP/1.1\r\nConnection: close\r\n\r\n'),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([400, 431, 400, 400]);
    for (const { text } of answers) {
      for (const line of [
        'x-content-type-options: nosniff',
        "content-security-policy: default-src 'none'",
        'cache-control: no-store',
      ])
        expect(text.toLowerCase()).to.include(line.toLowerCase());
    }
  });

  it('assets have a type of their own, nosniff, and nothing above them is served', async () => {
    const page = await (await portico.fetch('/auth')).text();
    const addresses = Array.from(page.matchAll(/(?:href|src)="(\/auth\/assets\/[^"]+)"/g), ([, address]) => address!);
    expect(addresses).to.have.length(2);
    for (const address of addresses) {
      const { headers, status } = await portico.fetch(address);
      expect([status, headers.get('x-content-type-options')]).to.deep.equal([200, 'nosniff']);
      expect(headers.get('content-type')).to.match(/^text\/(css|javascript)/);
    }
    for (const path of [
      'x/../../../package.json',
      'x/..%2f..%2fpackage.json',
      'x/%2e%2e/page.ts',
      'x/page.ts',
      'x/constructor',
      'x/__proto__',
    ])
      expect((await sendRaw(portico.url, rawRequest(`GET /auth/assets/${path} HTTP/1.1`))).status, path).to.equal(404);
  });

  it('a file is an attachment whatever type its sender gave it, and its name is data', async () => {
    const response = await portico.fetch(`${publication}/attachment`, { headers: demo });
    expect(response.headers.get('content-disposition')).to.match(/^attachment; filename="page\.pdf"/);
    for (const name of [
      'a"; filename="b.pdf',
      'a\r\nX-A: b.pdf',
      '../../a.pdf',
      'ä😀.pdf',
      "a'b(c)*.pdf",
      'a%22.pdf',
    ]) {
      const body = JSON.stringify({
        attachment: { name, mime: 'text/html', body: Buffer.from('%PDF-1.4').toString('base64') },
      });
      const changed = await portico.fetch(publication, { method: 'PATCH', headers: { ...demo, ...json }, body });
      if (changed.status === 400) continue;
      const { status, headers } = await portico.fetch(`${publication}/attachment`, { headers: demo });
      expect(status, name).to.equal(200);
      expect(headers.has('x-a')).to.equal(false);
      expect(headers.get('content-disposition')).to.match(
        /^attachment; filename="[^"\\%]*"; filename\*=UTF-8''[\w.~!#$&+^`|%-]+$/,
      );
    }
  });

  it('formatted text is stored and answered as given, as JSON', async () => {
    for (const html of [
      '<p>One</p>',
      evil,
      '<a href="javascript:alert(1)">x</a>',
      '&lt;script&gt;',
      '<svg/onload=alert(1)>',
      '</script><!--',
      '\u2028<b>й😀</b>',
    ]) {
      const body = JSON.stringify({ string_formattext: html, string_text: html.slice(0, 50) });
      const created = await portico.fetch(texts, { method: 'POST', headers: { ...demo, ...json }, body });
      const object = (await created.json()) as Record<string, unknown>;
      expect(created.status).to.equal(200);
      const read = await portico.fetch(`${texts}/${String(object['_id'])}`, {
        headers: { ...demo, accept: 'text/html' },
      });
      expect(read.headers.get('content-type')).to.match(/^application\/json/);
      expect(((await read.json()) as Record<string, unknown>)['string_formattext']).to.equal(html);
      const listed = await portico.fetch('/rest/string-list', {
        method: 'POST',
        headers: { ...demo, ...json },
        body: JSON.stringify({ string_text: html.slice(0, 50) }),
      });
      expect(((await listed.json()) as Record<string, unknown>[]).at(-1)!['string_formattext']).to.equal(html);
    }
  });

  it('a service cannot be led to answer with a page: what was sent comes back as JSON or text', async () => {
    for (const path of [
      `/rest/echo?x=${encodeURIComponent(evil)}`,
      `/rest/${encodeURIComponent(evil)}`,
      `/rest/crud/${encodeURIComponent(evil)}`,
      `${texts}?_sort=${encodeURIComponent(evil)}`,
    ]) {
      const { headers } = await portico.fetch(path, { headers: { ...demo, accept: 'text/html' } });
      expect(headers.get('content-type'), path).to.match(/^(application\/(problem\+)?json|text\/plain)/);
    }
  });

  it('behind TLS also HSTS', async () => {
    const secure = await startPortico({ env: { PUBLIC_URL: 'https://portico.example', PORTICO_ALLOW_DEMO: '1' } });
    try {
      for (const path of ['/healthz', '/rest/echo', '/auth', '/registry-ajax-api/x', '/nothing'])
        expect((await secure.fetch(path)).headers.get('strict-transport-security'), path).to.match(/^max-age=\d{8}/);
    } finally {
      await secure.stop();
    }
  });
});
