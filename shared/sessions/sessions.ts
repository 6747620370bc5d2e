import { createSecretKey } from 'node:crypto';
import type { Settings } from '#config/settings.ts';
import type { StateStore } from '#stores/state-store.ts';
import { cookieName, findCookie, readCookieValue, uidOfId } from './cookie.ts';

/** A signed-in browser. Times in ms since 1970. */
export interface Session {
  /** Names the session in lists and in what was issued for it; opens nothing. */
  readonly uid: string;
  /** Identity of the account. */
  readonly user: string;
  /** Signed in at. */
  readonly at: number;
  /** From where and with what, for the person's own list. */
  readonly address: string;
  readonly agent: string;
}

export type SessionUse = Session & { readonly used: number };

export interface SessionsDeps {
  readonly state: Pick<StateStore, 'get' | 'put' | 'putIfAbsent' | 'putIfPresent' | 'touch' | 'remove' | 'addMember' | 'removeMember' | 'members'>; // prettier-ignore
  readonly settings: Settings;
  /** Signs cookies. */
  readonly key: Buffer;
  /** Whether the account may still act on a sign-in of that time: it is enabled and its password was not set since. */
  readonly holds: (user: string, at: number) => Promise<boolean>;
  /** The installation is reached over TLS. */
  readonly secure: boolean;
  readonly clock?: () => number;
}

export interface Sessions {
  readonly cookieName: string;
  /** The session of a `Cookie` header, its idle time starting anew. Undefined: none, ended, or its account may not. */
  read(cookieHeader: string | undefined): Promise<Session | undefined>;
  /** The same for the cookie's bare value. */
  readValue(value: string): Promise<Session | undefined>;
  /** Without starting the idle time anew. */
  isAlive(uid: string): Promise<boolean>;
  /** Stores a session that begins now. @param value of the cookie, from `newCookieValue` */
  begin(value: string, session: Omit<Session, 'uid' | 'at'>): Promise<Session>;
  /** Newest first. */
  list(user: string): Promise<readonly SessionUse[]>;
  /** False when that account has no such session. Ended in all processes when it resolves. */
  end(user: string, uid: string): Promise<boolean>;
  /** Whatever the account may; the value need not be valid. */
  endValue(value: string): Promise<void>;
  /** All of an account but one; how many there were. */
  endOthers(user: string, keep: string | undefined): Promise<number>;
}

const keyOf = (uid: string) => `session:${uid}`;
const useKeyOf = (uid: string) => `session-used:${uid}`;
const setOf = (user: string) => `sessions:${user}`;
const coarse = 30_000;
const mostNoted = 10_000;

/** Browser sessions, for the processes that begin them and those that only read them. */
export function createSessions({ state, settings, holds, secure, clock = Date.now, ...deps }: SessionsDeps): Sessions {
  const key = createSecretKey(deps.key);
  const [idle, absolute] = [settings('sessions.idle') * 1000, settings('sessions.absolute') * 1000];
  const name = cookieName(secure);
  const extended = new Map<string, number>();
  const lifeLeft = (at: number) => Math.min(idle, at + absolute - clock());

  async function stored(uid: string): Promise<Session | undefined> {
    const text = await state.get(keyOf(uid));
    return text === undefined ? undefined : (JSON.parse(text) as Session);
  }

  async function load(uid: string): Promise<Session | undefined> {
    const session = await stored(uid);
    return session && lifeLeft(session.at) > 0 && (await holds(session.user, session.at)) ? session : undefined;
  }

  /** At most every so often, and never of a session that has ended; its content is not written. */
  async function extend({ uid, at }: Session): Promise<void> {
    const now = clock();
    if (now - (extended.get(uid) ?? 0) < Math.min(coarse, idle / 20)) return;
    extended.delete(uid);
    extended.set(uid, now);
    if (extended.size > mostNoted) extended.delete(extended.keys().next().value!);
    if (await state.touch(keyOf(uid), lifeLeft(at))) await state.put(useKeyOf(uid), String(now), lifeLeft(at));
  }

  async function readValue(value: string): Promise<Session | undefined> {
    const id = readCookieValue(key, value);
    const session = id === undefined ? undefined : await load(uidOfId(id));
    if (session) await extend(session);
    return session;
  }

  async function list(user: string): Promise<readonly SessionUse[]> {
    const found = await Promise.all(
      (await state.members(setOf(user))).map(async (uid) => {
        const [session, used] = await Promise.all([load(uid), state.get(useKeyOf(uid))]);
        if (!session) await state.removeMember(setOf(user), uid);
        return session && { ...session, used: Number(used ?? session.at) };
      }),
    );
    return found.filter((one) => one !== undefined).sort((a, b) => b.at - a.at);
  }

  async function end(user: string, uid: string): Promise<boolean> {
    if ((await stored(uid))?.user !== user) return false;
    await state.remove([keyOf(uid), useKeyOf(uid)]);
    await state.removeMember(setOf(user), uid);
    return true;
  }

  return {
    cookieName: name,
    readValue,
    async read(header) {
      const value = findCookie(header, name);
      return value === undefined ? undefined : readValue(value);
    },
    isAlive: async (uid) => (await load(uid)) !== undefined,
    async begin(value, { user, address, agent }) {
      const id = readCookieValue(key, value);
      if (id === undefined) throw new Error('not a cookie value of this installation');
      const session = { uid: uidOfId(id), user, at: clock(), address, agent: agent.slice(0, 300) };
      await state.addMember(setOf(user), session.uid, absolute); // first, so that ending all misses none
      const isNew = await state.putIfAbsent(keyOf(session.uid), JSON.stringify(session), Math.min(idle, absolute));
      if (!isNew) throw new Error('this cookie value was used before');
      return session;
    },
    list,
    end,
    async endValue(value) {
      const id = readCookieValue(key, value);
      const session = id === undefined ? undefined : await stored(uidOfId(id));
      if (session) await end(session.user, session.uid);
    },
    async endOthers(user, keep) {
      const others = (await list(user)).filter(({ uid }) => uid !== keep);
      await Promise.all(others.map(({ uid }) => end(user, uid)));
      return others.length;
    },
  };
}
