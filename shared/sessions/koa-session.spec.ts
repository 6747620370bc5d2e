import { expect } from 'chai';
import Koa from 'koa';
import session from 'koa-session';
import type { AddressInfo } from 'node:net';
import { openFixture, type Fixture } from '../../test/support/open-fixture.ts';
import { createKoaSessionOptions, type SessionContext } from './koa-session.ts';
import { createSessions, type Sessions } from './sessions.ts';

const key = Buffer.alloc(32, 3);

/** The recipe for an app that signs people in. */
function createApp(sessions: Sessions, secure: boolean, gate: Promise<void>) {
  const app = new Koa<object, SessionContext>();
  app.silent = true;
  app.use((ctx, next) => {
    if (secure) ctx.cookies.secure = true; // TLS ends at the proxy
    return next();
  });
  app.use(session(createKoaSessionOptions(sessions, { key, secure }), app));
  app.use(async (ctx) => {
    if (ctx.path === '/in') {
      Object.assign(ctx.session!, {
        user: ctx.query['user'] ?? 'demo@local',
        address: ctx.ip,
        agent: ctx.get('user-agent'),
      });
      await ctx.session!.regenerate();
    }
    if (ctx.path === '/out') ctx.session = null;
    if (ctx.path === '/write') {
      Object.assign(ctx.session!, { note: 'x' });
      await gate;
    }
    ctx.body = ctx.session?.user ?? 'nobody';
  });
  return app;
}

describe('koa-session over the session store', () => {
  let fixture: Fixture;
  let sessions: Sessions;
  let close: () => void;
  let open: () => void;
  let base: string;
  async function start(secure: boolean) {
    sessions = createSessions({ ...fixture.deps, key, secure, holds: async () => true });
    const gate = new Promise<void>((done) => { open = done; }); // prettier-ignore
    const server = createApp(sessions, secure, gate).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () => {
      server.close();
      server.closeAllConnections();
    };
  }
  const call = async (path: string, cookie = '') => {
    const response = await fetch(base + path, { headers: { cookie } });
    const [set = ''] = response.headers.getSetCookie();
    return { text: await response.text(), set, cookies: response.headers.getSetCookie(), cookie: set.split(';')[0]! };
  };
  beforeEach(async () => {
    fixture = await openFixture();
    await start(false);
  });
  afterEach(async () => {
    close();
    await fixture.close();
  });

  it('sets one cookie at sign-in alone: HttpOnly, SameSite=Lax, no Domain, gone with the browser', async () => {
    expect((await call('/')).cookies).to.deep.equal([]);
    const { cookies, set } = await call('/in');
    expect(cookies).to.have.lengthOf(1);
    expect(set).to.match(/^portico=[\w-]{43}\.[\w-]{43}; path=\/; samesite=lax; httponly$/i);
    expect((await call('/', set)).text).to.equal('demo@local');
  });

  it('binds the cookie to the host behind TLS', async () => {
    close();
    await start(true);
    const { set } = await call('/in');
    expect(set)
      .to.match(/^__Host-portico=/)
      .and.match(/; secure/i);
    expect(set).to.not.match(/domain/i);
  });

  it('gives a new id at sign-in and ends the session that was there', async () => {
    const first = (await call('/in')).cookie;
    const second = (await call('/in?user=eve@local', first)).cookie;
    expect(second).to.not.equal(first);
    expect((await call('/', first)).text).to.equal('nobody');
    expect((await call('/', second)).text).to.equal('eve@local');
    expect(await sessions.list('demo@local')).to.deep.equal([]);
  });

  it('takes no id that the client made up, and stores nothing before sign-in', async () => {
    const { cookies } = await call('/in', 'portico=chosen-by-somebody-else');
    expect(cookies.join()).to.not.contain('chosen');
    const written = await call('/out', 'portico=chosen');
    expect(written.text).to.equal('nobody');
    open();
    const { cookie } = await call('/write');
    expect(await sessions.read(cookie)).to.equal(undefined);
  });

  it('cannot be undone by a request in flight once it signed out', async () => {
    const { cookie } = await call('/in');
    const late = call('/write', cookie);
    await new Promise((done) => setTimeout(done, 30));
    await call('/out', cookie);
    open();
    await late;
    expect((await call('/', cookie)).text).to.equal('nobody');
    expect(await sessions.list('demo@local')).to.deep.equal([]);
  });

  it('keeps what the session says as it was at sign-in', async () => {
    const { cookie } = await call('/in');
    open();
    await call('/write', cookie);
    expect(await sessions.read(cookie)).to.not.have.property('note');
  });
});
