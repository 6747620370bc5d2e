import { expect } from 'chai';
import { signedIn } from '../support/browser-session.ts';
import { startAuth, type RunningAuth } from '../support/start-auth.ts';

const credentials = () => new URLSearchParams({ username: 'demo', password: 'portico-demo' });

describe('10. Session cookies', () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await startAuth();
  });
  after(() => auth.stop());
  const isSignedIn = async (cookie: string) =>
    (await (await auth.fetch('/', { headers: { cookie } })).text()).includes('demo@local');
  const signOut = (cookie: string) => auth.fetch('/auth/sign-out', { method: 'POST', headers: { cookie } });

  it('one cookie: HttpOnly, SameSite=Lax, no Domain, no lifetime, signature inside', async () => {
    const answer = await auth.fetch('/auth', { method: 'POST', body: credentials() });
    const cookies = answer.headers.getSetCookie();
    expect(cookies.length).to.equal(1);
    const [pair = '', ...attributes] = cookies[0]!.toLowerCase().split('; ');
    expect(attributes).to.have.members(['path=/', 'httponly', 'samesite=lax']);
    expect(pair).to.match(/^portico=[\w-]+\.[\w-]+$/);
  });

  it('Secure and __Host- behind TLS', async () => {
    const tls = await startAuth({ publicUrl: 'https://portico.example' });
    try {
      const [cookie] = (await tls.fetch('/auth', { method: 'POST', body: credentials() })).headers.getSetCookie();
      expect(cookie).to.match(/^__Host-portico=[^;]+; path=\/; /i);
      expect(cookie!.toLowerCase().split('; ')).to.include.members(['secure', 'httponly', 'samesite=lax']);
      expect(cookie).to.not.match(/domain/i);
    } finally {
      await tls.stop();
    }
  });

  it('a changed signature is no session, and a cookie that was sent back with its attributes is one', async () => {
    const cookie = await signedIn(auth);
    expect(await isSignedIn(`${cookie}; Path=/; HttpOnly`)).to.equal(true);
    const last = cookie.endsWith('A') ? 'B' : 'A';
    expect(await isSignedIn(cookie.slice(0, -6) + last + cookie.slice(-5))).to.equal(false);
    expect(await isSignedIn(cookie.split('.')[0]!)).to.equal(false);
  });

  it('the id changes at sign-in, and the one before ends', async () => {
    const first = await signedIn(auth);
    const answer = await auth.fetch('/auth', { method: 'POST', headers: { cookie: first }, body: credentials() });
    const second = answer.headers.getSetCookie()[0]!.split(';')[0]!;
    expect(answer.headers.getSetCookie().length).to.equal(1);
    expect(second).to.not.equal(first);
    expect(await isSignedIn(second)).to.equal(true);
    expect(await isSignedIn(first)).to.equal(false);
  });

  it('an id that somebody set before sign-in is not taken over', async () => {
    const planted = `portico=${'a'.repeat(43)}.${'b'.repeat(43)}`;
    const answer = await auth.fetch('/auth', { method: 'POST', headers: { cookie: planted }, body: credentials() });
    expect(answer.headers.getSetCookie()[0]).to.not.include('aaaa');
    expect(await isSignedIn(planted)).to.equal(false);
  });

  it('visits without a sign-in set no cookie', async () => {
    for (const path of ['/', '/auth', '/auth/sign-out', '/oauth2/code?code=x', '/nothing']) {
      expect((await auth.fetch(path)).headers.getSetCookie(), path).to.deep.equal([]);
    }
  });

  it('sign-out ends the session on the server and takes the cookie back', async () => {
    const cookie = await signedIn(auth);
    const answer = await signOut(cookie);
    expect(answer.headers.getSetCookie()[0]).to.match(/^portico=;.*expires=Thu, 01 Jan 1970/i);
    expect(await isSignedIn(cookie)).to.equal(false);
  });

  it('requests in flight do not bring a session back', async () => {
    const cookie = await signedIn(auth);
    const visits = Array.from({ length: 30 }, () => auth.fetch('/', { headers: { cookie } }));
    const [, ...answers] = await Promise.all([signOut(cookie), ...visits]);
    expect(answers.length).to.equal(30);
    expect(await isSignedIn(cookie)).to.equal(false);
  });

  it('ends when idle, at its absolute end, and when the account is disabled', async () => {
    const cookie = await signedIn(auth);
    auth.advance(29 * 60);
    expect(await isSignedIn(cookie)).to.equal(true);
    auth.advance(31 * 60);
    expect(await isSignedIn(cookie)).to.equal(false);
    const busy = await signedIn(auth);
    for (let hours = 0; hours < 12; hours += 0.4) {
      await isSignedIn(busy);
      auth.advance(0.4 * 3600);
    }
    expect(await isSignedIn(busy)).to.equal(false);
    const disabled = await signedIn(auth);
    await auth.accounts.change('demo@local', { disabled: true });
    expect(await isSignedIn(disabled)).to.equal(false);
  });
});
