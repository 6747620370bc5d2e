import { expect } from 'chai';
import { signedIn } from '../../../test/support/browser-session.ts';
import { startAuth, type RunningAuth } from '../../../test/support/start-auth.ts';

describe('/auth', () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await startAuth({
      settings: { 'auth.maxFailures': 3 },
      accounts: [
        { identity: 'new@local', name: 'New', password: 'first-password', needPasswordReset: true },
        { identity: 'slow@local', name: 'Slow', password: 'slow-password' },
      ],
    });
  });
  after(() => auth.stop());

  const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    auth.fetch('/auth', { method: 'POST', headers, body: new URLSearchParams(fields) });
  const json = (body: unknown, headers: Record<string, string> = {}) =>
    auth.fetch('/auth', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const demo = { username: 'demo@local', password: 'portico-demo' };

  it('shows the page, with the security headers of a page', async () => {
    const answer = await auth.fetch('/auth');
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).to.match(/^default-src 'none'.*frame-ancestors 'none'$/);
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    const text = await answer.text();
    for (const [, path] of text.matchAll(/(?:href|src)="(\/auth\/assets\/[^"]+)"/g)) {
      const asset = await auth.fetch(path!);
      expect(asset.status).to.equal(200);
      expect(asset.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      expect((await asset.text()).length).to.be.greaterThan(500);
    }
  });

  it('a form goes on to a path of this site, else to /', async () => {
    const cases = [
      ['', '/'],
      ['/registry/x?y=1', '/registry/x?y=1'],
      ['//evil.example', '/'],
      ['/\\evil.example', '/'],
      ['https://evil.example/', '/'],
      ['\tjavascript:alert(1)', '/'],
    ] as const;
    for (const [asked, location] of cases) {
      const answer = await form({ ...demo, continue: asked });
      expect(answer.status).to.equal(302);
      expect(answer.headers.get('location')).to.equal(location);
    }
  });

  it('a bare name is one of the type local', async () => {
    expect((await form({ username: 'demo', password: 'portico-demo' })).headers.get('location')).to.equal('/');
  });

  it('a wrong form leads back with one message, the account name and where to continue, and no cookie', async () => {
    const bodies = new Set<string>();
    for (const username of ['demo@local', 'nobody@local']) {
      const answer = await form({ username, password: 'wrong', continue: '/x' });
      expect(answer.status).to.equal(302);
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
      const location = answer.headers.get('location')!;
      const text = await (await auth.fetch(location)).text();
      expect(text).to.include('do not match').and.include(`value="${username}"`).and.include('value="/x"');
      bodies.add(text.replaceAll(username, ''));
    }
    expect(bodies.size).to.equal(1);
    await form(demo);
  });

  it('JSON is answered 200, or 401 as JSON', async () => {
    const good = await json(demo);
    expect(good.status).to.equal(200);
    expect(await good.json()).to.deep.equal({ account: 'demo@local', name: 'Demo' });
    expect(good.headers.getSetCookie().length).to.equal(1);
    const asked = await form(demo, { accept: 'application/json' });
    expect(asked.status).to.equal(200);
    for (const bad of [
      { ...demo, password: 'wrong' },
      { username: 'demo' },
      {},
      { username: { a: 1 }, password: ['x'] },
    ]) {
      const answer = await json(bad);
      expect(answer.status).to.equal(401);
      expect(answer.headers.get('content-type')).to.match(/json/);
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
    }
    await form(demo);
  });

  it('refuses what it cannot read with 400, 413 and 415', async () => {
    const send = (body: string, type: string) =>
      auth.fetch('/auth', { method: 'POST', headers: { 'content-type': type }, body });
    expect((await send('{', 'application/json')).status).to.equal(400);
    expect((await send('[]', 'application/json')).status).to.equal(400);
    expect((await send('null', 'application/json')).status).to.equal(400);
    expect((await send('x'.repeat(20_000), 'application/x-www-form-urlencoded')).status).to.equal(413);
    expect((await send('x', 'text/plain')).status).to.equal(415);
    expect((await auth.fetch('/auth', { method: 'DELETE' })).status).to.equal(405);
    expect((await auth.fetch('/auth/nothing')).status).to.equal(404);
  });

  it('holds back with 429 and shows the wait, also for the right password', async () => {
    for (let count = 0; count < 5; count += 1) await form({ username: 'slow@local', password: `wrong${count}` });
    const answer = await form({ username: 'slow@local', password: 'slow-password' });
    expect(answer.status).to.equal(429);
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait).to.be.greaterThan(0);
    expect(await answer.text())
      .to.match(new RegExp(`Too many attempts. Wait ${wait} second`))
      .and.include('value="slow@local"');
    const asJson = await json({ username: 'slow@local', password: 'slow-password' });
    expect(asJson.status).to.equal(429);
    expect(asJson.headers.get('retry-after')).to.not.equal(null);
  });

  it('takes words from its address as text only', async () => {
    const evil = '"><script>alert(1)</script>';
    const query = new URLSearchParams({ reason: evil, username: evil, continue: evil });
    const text = await (await auth.fetch(`/auth?${query.toString()}`)).text();
    expect(text).to.include('&lt;script&gt;').and.not.include('<script>');
  });

  describe('an account that needs a new password', () => {
    const first = { username: 'new@local', password: 'first-password' };

    it('is not signed in by the old one, neither by JSON', async () => {
      const answer = await form(first);
      expect(answer.status).to.equal(302);
      expect(answer.headers.get('location')).to.match(/^\/auth\/new-password\?/);
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
      const asJson = await json(first);
      expect(asJson.status).to.equal(403);
      expect(asJson.headers.getSetCookie()).to.deep.equal([]);
    });

    it('chooses one, is signed in, and the ticket is worth nothing after', async () => {
      const location = (await form({ ...first, continue: '/x' })).headers.get('location')!;
      expect(await (await auth.fetch(location)).text()).to.include('Choose a new password');
      const ticket = new URL(location, auth.url).searchParams.get('ticket')!;
      const choose = (password: string, again = password) =>
        auth.fetch('/auth/new-password', {
          method: 'POST',
          body: new URLSearchParams({ ticket, password, again, continue: '/x' }),
        });
      for (const [password, again] of [
        ['short', 'short'],
        ['long enough', 'another one'],
        ['first-password', 'first-password'],
      ] as const) {
        const refused = await choose(password, again);
        expect(refused.status).to.equal(422);
        expect(refused.headers.getSetCookie()).to.deep.equal([]);
      }
      const done = await choose('a much better one');
      expect([done.status, done.headers.get('location')]).to.deep.equal([302, '/x']);
      expect(done.headers.getSetCookie().length).to.equal(1);
      const again = await choose('and yet another one');
      expect(again.headers.get('location')).to.equal('/auth');
      expect(again.headers.getSetCookie()).to.deep.equal([]);
      await signedIn(auth, 'new@local', 'a much better one');
    });
  });

  describe('/auth/sign-out', () => {
    it('GET shows the button and signs nobody out', async () => {
      const cookie = await signedIn(auth);
      const page = await auth.fetch('/auth/sign-out', { headers: { cookie } });
      expect(await page.text())
        .to.include('demo@local')
        .and.include('method="post"');
      expect(await (await auth.fetch('/', { headers: { cookie } })).text()).to.include('demo@local');
    });

    it('POST leads on to a path of this site, and answers JSON with 200', async () => {
      const post = (body: URLSearchParams, headers: Record<string, string> = {}) =>
        auth.fetch('/auth/sign-out', { method: 'POST', headers, body });
      expect((await post(new URLSearchParams({ continue: '/x' }))).headers.get('location')).to.equal('/x');
      expect((await post(new URLSearchParams({ continue: '//x' }))).headers.get('location')).to.equal(
        '/auth?reason=signed-out',
      );
      expect((await post(new URLSearchParams(), { accept: 'application/json' })).status).to.equal(200);
    });
  });

  it('/ leads to the console when there is one', async () => {
    expect(await (await auth.fetch('/')).text()).to.include('This is Portico');
    const other = await startAuth({ consoleUrl: '/registry/' });
    try {
      const answer = await other.fetch('/');
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, '/registry/']);
    } finally {
      await other.stop();
    }
  });
});
