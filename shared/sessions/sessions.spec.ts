import { expect } from 'chai';
import { openFixture, type Fixture } from '../../test/support/open-fixture.ts';
import { findCookie, newCookieValue } from './cookie.ts';
import { createSessions, type Sessions } from './sessions.ts';

const from = { user: 'demo@local', address: '192.0.2.1', agent: 'Firefox' };

describe('sessions', () => {
  let fixture: Fixture;
  let sessions: Sessions;
  let allowed: boolean;
  const key = Buffer.alloc(32, 3);
  const cookie = (value: string) => `other=1; portico=${value}; Path=/; HttpOnly`;
  const signIn = async (more: Partial<typeof from> = {}) => {
    const value = newCookieValue(key);
    return { value, session: await sessions.begin(value, { ...from, ...more }) };
  };
  beforeEach(async () => {
    allowed = true;
    fixture = await openFixture({ 'sessions.idle': 600, 'sessions.absolute': 3600 });
    sessions = createSessions({ ...fixture.deps, key, secure: false, holds: async () => allowed });
  });
  afterEach(() => fixture.close());

  it('are read from the cookie header, in every process, with the attributes that old clients send back', async () => {
    const { value, session } = await signIn();
    const other = createSessions({ ...fixture.deps, key, secure: false, holds: async () => true });
    expect(await other.read(cookie(value))).to.deep.equal(session);
    expect(session).to.include({ user: 'demo@local', agent: 'Firefox' });
    for (const header of [undefined, '', 'portico=', 'portico', 'portico2=x'])
      expect(await sessions.read(header)).to.equal(undefined);
  });

  it('take no id that was not signed here', async () => {
    const { value } = await signIn();
    const [id] = value.split('.');
    for (const forged of [id!, `${id}.`, `${id}.${'A'.repeat(43)}`, `${value}x`, newCookieValue(Buffer.alloc(32, 4))]) {
      expect(await sessions.readValue(forged), forged).to.equal(undefined);
    }
    expect(await sessions.readValue(value)).to.not.equal(undefined);
  });

  it('end after the idle time without a call, and in any case at the absolute limit', async () => {
    const { value } = await signIn();
    const idle = await signIn();
    for (let minutes = 0; minutes < 55; minutes += 5) {
      fixture.advance(300);
      expect(await sessions.readValue(value), String(minutes)).to.not.equal(undefined);
    }
    expect(await sessions.readValue(idle.value)).to.equal(undefined);
    fixture.advance(301);
    expect(await sessions.readValue(value)).to.equal(undefined);
  });

  it('are not kept alive by being looked at from elsewhere', async () => {
    const { session } = await signIn();
    fixture.advance(400);
    expect(await sessions.isAlive(session.uid)).to.equal(true);
    await sessions.list('demo@local');
    fixture.advance(201);
    expect(await sessions.isAlive(session.uid)).to.equal(false);
  });

  it('end with the account that may no longer use them', async () => {
    const { value, session } = await signIn();
    allowed = false;
    expect(await sessions.readValue(value)).to.equal(undefined);
    expect(await sessions.isAlive(session.uid)).to.equal(false);
  });

  it('are listed per account and ended one by one or all others, by their owner alone', async () => {
    const mine = await signIn();
    fixture.advance(1);
    const phone = await signIn({ agent: 'Safari' });
    const laptop = await signIn({ agent: 'Opera' });
    const theirs = await signIn({ user: 'eve@local' });
    expect((await sessions.list('demo@local')).map(({ agent }) => agent)).to.have.members([
      'Firefox',
      'Safari',
      'Opera',
    ]);
    expect(await sessions.end('eve@local', phone.session.uid)).to.equal(false);
    expect(await sessions.end('demo@local', phone.session.uid)).to.equal(true);
    expect(await sessions.readValue(phone.value)).to.equal(undefined);
    expect(await sessions.endOthers('demo@local', mine.session.uid)).to.equal(1);
    expect(await sessions.readValue(laptop.value)).to.equal(undefined);
    expect(await sessions.readValue(mine.value)).to.not.equal(undefined);
    expect(await sessions.readValue(theirs.value)).to.not.equal(undefined);
  });

  it('tell when they were used last', async () => {
    const { value, session } = await signIn();
    fixture.advance(120);
    await sessions.readValue(value);
    expect((await sessions.list('demo@local'))[0]!.used).to.be.closeTo(session.at + 120_000, 2000);
  });

  it('leave nothing in the store with which a session could be entered', async () => {
    const { value } = await signIn();
    const [id] = value.split('.');
    const keys = new Set<string>();
    const watched = new Proxy(fixture.deps.state, {
      get:
        (state, name) =>
        (...words: unknown[]) => {
          keys.add(JSON.stringify(words));
          return (Reflect.get(state, name) as (...args: unknown[]) => unknown)(...words);
        },
    });
    const other = createSessions({ ...fixture.deps, state: watched, key, secure: false, holds: async () => true });
    expect(await other.readValue(value)).to.not.equal(undefined);
    expect(await other.list('demo@local')).to.have.lengthOf(1);
    expect(keys.size).to.be.greaterThan(2);
    expect([...keys].join()).to.not.contain(id!);
  });

  it('find the first cookie of the name', () => {
    expect(findCookie('a=1; portico=x=y; portico=z', 'portico')).to.equal('x=y');
    expect(findCookie('__Host-portico=a; portico=b', 'portico')).to.equal('b');
    expect(findCookie('portico="q"', 'portico')).to.equal('q');
  });
});
