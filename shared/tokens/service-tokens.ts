import { hash as sha, randomBytes, randomInt } from 'node:crypto';
import { holdsFor, toIdentity, type Accounts } from '#accounts/account.ts';
import type { Identity } from '#accounts/identity.ts';
import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';
import type { StateStore } from '#stores/state-store.ts';

/** What is kept of a token: never the token. Times in ms since 1970. */
export interface TokenRecord {
  /** Public name of the token, for lists and for revoking it. */
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly created: number;
  /** Within a minute; undefined: never. */
  readonly used?: number;
  readonly expires: number;
}

export interface ServiceTokens {
  /** The token itself is to be had here only: 40 characters `[a-z0-9]`. @param ttl seconds */
  make(owner: string, options: { readonly ttl: number; readonly name?: string }): Promise<{ readonly token: string; readonly record: TokenRecord }>; // prettier-ignore
  /** Undefined when unknown, expired or revoked, or its account is gone, made anew or disabled. */
  find(token: string): Promise<{ readonly owner: Identity; readonly record: TokenRecord } | undefined>;
  /** False when there was none. Holds in all processes when it resolves. */
  revoke(token: string): Promise<boolean>;
  revokeById(owner: string, id: string): Promise<boolean>;
  /** How many there were. */
  revokeAll(owner: string): Promise<number>;
  /** Newest first. Those that ended in the last seven days are among them. */
  list(owner: string): Promise<readonly TokenRecord[]>;
}

export interface ServiceTokensDeps {
  readonly state: Pick<StateStore, 'get' | 'put' | 'putIfPresent' | 'take' | 'addMember' | 'removeMember' | 'members'>;
  readonly accounts: Pick<Accounts, 'find'>;
  readonly log: Pick<Log, 'warn'>;
  readonly clock?: () => number;
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const form = /^[a-z0-9]{40}$/;
/** Whether the text has the form of a service token; access tokens have another. */
export const isServiceToken = (text: string): boolean => form.test(text);
const minute = 60_000;
const keptAfterEnd = 7 * 24 * 3600 * 1000;
const pruneEvery = 100;

const newToken = (): string => Array.from({ length: 40 }, () => letters[randomInt(letters.length)]).join('');
// 200 random bits need no key and no slow hash
const digest = (token: string): string => sha('sha256', token, 'base64url');
const keyOf = (hash: string) => `token:${hash}`;
const setOf = (owner: string) => `tokens:${owner}`;

/** Tokens of accounts for services in mode `token`; several live ones each. One trip to the store finds one. */
export function createServiceTokens({ state, accounts, log, clock = Date.now }: ServiceTokensDeps): ServiceTokens {
  const writing = new Set<string>();
  let made = 0;

  const put = (record: TokenRecord) => [JSON.stringify(record), record.expires + keptAfterEnd - clock()] as const;

  async function read(hash: string): Promise<TokenRecord | undefined> {
    const text = await state.get(keyOf(hash));
    return text === undefined ? undefined : (JSON.parse(text) as TokenRecord);
  }

  /** The times of use are coarse so that a busy token costs no write per call; a revoked one is never put back. */
  function noteUse(hash: string, record: TokenRecord): void {
    const now = clock();
    if (writing.has(hash) || (record.used !== undefined && now - record.used < minute)) return;
    writing.add(hash);
    state
      .putIfPresent(keyOf(hash), ...put({ ...record, used: now }))
      .catch((error: unknown) => log.warn('the use of a token could not be noted', { error }))
      .finally(() => writing.delete(hash));
  }

  /** With the hash of each; forgets those that are gone. */
  async function entries(owner: string): Promise<readonly (readonly [string, TokenRecord])[]> {
    const hashes = await state.members(setOf(owner));
    const found = await Promise.all(hashes.map(async (hash) => [hash, await read(hash)] as const));
    await Promise.all(found.filter(([, record]) => !record).map(([hash]) => state.removeMember(setOf(owner), hash)));
    return found.flatMap(([hash, record]) => (record ? [[hash, record] as const] : []));
  }

  async function end(hash: string): Promise<boolean> {
    const text = await state.take(keyOf(hash));
    if (text === undefined) return false;
    const { owner, expires } = JSON.parse(text) as TokenRecord;
    await state.removeMember(setOf(owner), hash);
    return expires > clock();
  }

  return {
    async make(owner, { ttl, name = '' }) {
      const account = await accounts.find(owner);
      if (!account || account.disabled) throw new AppError('not_found', `no account ${owner}`, { publicText: 'There is no such account' }); // prettier-ignore
      const token = newToken();
      const hash = digest(token);
      const created = clock();
      const id = randomBytes(9).toString('base64url');
      const record = { id, owner: account.identity, name, created, expires: created + ttl * 1000 };
      const [value, life] = put(record);
      await state.addMember(setOf(record.owner), hash, life); // first, so that revoking all misses none
      await state.put(keyOf(hash), value, life);
      made += 1;
      if (made % pruneEvery === 0) await entries(record.owner);
      return { token, record };
    },
    async find(token) {
      if (!form.test(token)) return undefined;
      const hash = digest(token);
      const record = await read(hash);
      if (!record || record.expires <= clock()) return undefined;
      const account = await accounts.find(record.owner);
      if (!holdsFor(account, record.created)) return undefined;
      noteUse(hash, record);
      return { owner: toIdentity(account), record };
    },
    revoke: async (token) => form.test(token) && end(digest(token)),
    async revokeById(owner, id) {
      const found = (await entries(owner)).find(([, record]) => record.id === id);
      return found !== undefined && (await end(found[0]), true);
    },
    async revokeAll(owner) {
      const ended = await Promise.all((await state.members(setOf(owner))).map(end));
      return ended.filter(Boolean).length;
    },
    async list(owner) {
      const records = (await entries(owner)).map(([, record]) => record);
      return records.sort((a, b) => b.created - a.created);
    },
  };
}
