import { expect } from 'chai';
import { allow, signedIn } from '../support/browser-session.ts';
import { startAuth, type RunningAuth } from '../support/start-auth.ts';

describe('11. A cross-site write to /auth, /oauth2/grant or sign-out is refused with 403', () => {
  let auth: RunningAuth;
  let cookie: string;
  before(async () => {
    auth = await startAuth();
    cookie = await signedIn(auth);
  });
  after(() => auth.stop());

  const writes: readonly (readonly [string, Record<string, string>])[] = [
    ['/auth', { username: 'demo', password: 'portico-demo' }],
    ['/auth/', { username: 'demo', password: 'portico-demo' }],
    ['/auth/new-password', { ticket: 'x', password: 'long enough', again: 'long enough' }],
    ['/oauth2/grant?client_id=ext@system&response_type=code', { answer: 'allow' }],
    ['/auth/sign-out', {}],
  ];
  const foreign: readonly Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
  ];

  for (const [path, form] of writes) {
    for (const headers of foreign) {
      it(`POST ${path} with ${JSON.stringify(headers)}`, async () => {
        const answer = await auth.fetch(path, {
          method: 'POST',
          headers: { cookie, ...headers },
          body: new URLSearchParams(form),
        });
        expect(answer.status).to.equal(403);
        expect(answer.headers.get('location')).to.equal(null);
        expect(answer.headers.getSetCookie()).to.deep.equal([]);
      });
    }
  }

  it('another port and another scheme are another site', async () => {
    for (const origin of [auth.url.replace('http:', 'https:'), 'http://127.0.0.1:1']) {
      const answer = await auth.fetch('/auth/sign-out', { method: 'POST', headers: { cookie, origin } });
      expect(answer.status).to.equal(403);
    }
  });

  it('the session is still there, and requests of this site or of no browser pass', async () => {
    for (const headers of [
      {},
      { origin: auth.url },
      { origin: auth.url, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const site = {
        ...auth,
        fetch: (path: string, init?: RequestInit) =>
          auth.fetch(path, { ...init, headers: { ...(init?.headers as object), ...headers } }),
      };
      expect((await allow(site, cookie, { client_id: 'ext@system' })).searchParams.has('code')).to.equal(true);
    }
  });
});
