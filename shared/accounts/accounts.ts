import type { Settings } from '#config/settings.ts';
import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';
import type { Bus } from '#stores/bus.ts';
import type { ObjectStore } from '#stores/object-store.ts';
import type { StateStore } from '#stores/state-store.ts';
import type { Account, Accounts, AccountChange } from './account.ts';
import { createAccountCache } from './account-cache.ts';
import { accountCollection, applyChange, checkIdentity, createFinder, isIdentity, newAccount, toAccount, toDoc, type StoredAccount } from './account-store.ts'; // prettier-ignore
import { hashPassword, isLegacyHash } from './password.ts';
import { createThrottle } from './throttle.ts';
import { createVerifier } from './verify.ts';

export interface AccountsDeps {
  readonly objects: Pick<ObjectStore, 'prepare' | 'get' | 'find' | 'write'>;
  readonly state: Pick<StateStore, 'get' | 'putIfAbsent' | 'increment' | 'remove'>;
  readonly bus: Pick<Bus, 'publish' | 'subscribe' | 'onGap'>;
  readonly settings: Settings;
  readonly log: Pick<Log, 'info'>;
  /** Of the installation, for keyed digests. */
  readonly key: Buffer;
  readonly clock?: () => number;
  /** `accounts.options.caseInsensitiveLogin` of deploy.json. */
  readonly caseInsensitiveLogin?: boolean;
}

/** Whoever stores an account publishes its identity here. */
export const accountsTopic = 'accounts.changed';
const attempts = 5;

/** The accounts of this installation. Resolves when the store is ready for them. */
export async function createAccounts(deps: AccountsDeps): Promise<Accounts> {
  const { objects, bus, settings, log, key, clock = Date.now, caseInsensitiveLogin = false } = deps;
  await objects.prepare([{ name: accountCollection, indexes: [{ name: 'login', paths: ['login'] }] }]);
  const load = createFinder(objects, caseInsensitiveLogin);
  const keyOf = (identity: string) => (caseInsensitiveLogin ? identity.toLowerCase() : identity);
  const cache = createAccountCache(load, keyOf, clock);
  const receivers = new Set<(identity: string) => void>();
  let legacy: Promise<boolean> | undefined;

  async function lookForLegacy(): Promise<boolean> {
    const filter = { op: 'match', path: 'passwordHash', pieces: ['pbkdf2$'], start: true, end: false } as const;
    return (await objects.find(accountCollection, { filter, count: 1 })).length > 0;
  }
  // once it is true it stays: failures then cost the same until the next start
  const hasLegacy = () => (legacy ??= lookForLegacy().catch((failed: unknown) => { legacy = undefined; throw failed; })); // prettier-ignore

  const verifier = createVerifier({
    settings,
    key,
    clock,
    throttle: createThrottle({ state: deps.state, settings, clock }),
    recall: async (identity) => (await cache.find(identity))?.account,
    load: async (identity) => (await load(identity))?.account,
    hasLegacy,
    rehash,
  });

  function forget(identity: string): void {
    cache.forget(identity);
    verifier.forget(identity);
    for (const receive of receivers) receive(identity);
  }
  bus.subscribe(accountsTopic, forget);

  async function announce(account: Account): Promise<void> {
    if (isLegacyHash(account.passwordHash)) legacy = Promise.resolve(true);
    forget(account.identity);
    await bus.publish(accountsTopic, account.identity);
  }

  /** Reads, changes and stores until no other change comes between; undefined from `change` stores nothing. */
  async function rewrite(
    identity: string,
    change: (account: Account) => Promise<Account | undefined>,
  ): Promise<Account> {
    for (let tries = 0; tries < attempts; tries += 1) {
      const found = await load(identity);
      if (!found) throw new AppError('not_found', `no account ${identity}`, { publicText: 'There is no such account' });
      const next = await change(found.account);
      if (!next) return found.account;
      if (await replace(found, next)) return next;
    }
    throw new AppError('conflict', `account ${identity} changes all the time`);
  }

  async function replace({ account: { identity: id }, revision }: StoredAccount, next: Account): Promise<boolean> {
    const write = { op: 'update', collection: accountCollection, id, doc: toDoc(next), expect: revision } as const;
    const [written] = await objects.write([write], { atomic: true });
    if (written === undefined || 'clash' in written) return false;
    await announce(next);
    return true;
  }

  async function rehash({ identity, passwordHash: old }: Account, password: string): Promise<Account> {
    const passwordHash = await hashPassword(password);
    const made = await rewrite(identity, async (account) => (account.passwordHash === old ? { ...account, passwordHash } : undefined)); // prettier-ignore
    if (made.passwordHash === passwordHash) log.info('password hash renewed', { account: identity });
    return made;
  }

  async function list(): Promise<readonly Account[]> {
    const accounts: Account[] = [];
    const page = 1000;
    for (let after = ''; ;) {
      const found = await objects.find(accountCollection, {
        filter: { op: 'all' },
        count: page,
        ...(after && { after }),
      });
      accounts.push(...found.map(toAccount));
      if (found.length < page) return accounts;
      after = found.at(-1)!.id;
    }
  }

  return {
    find: async (identity) => (isIdentity(identity) ? (await cache.find(identity))?.account : undefined),
    list,
    async verify(identity, password, address) {
      if (!isIdentity(identity) || password === '') return { refused: 'wrong' }; // malformed: no attempt
      return verifier.verify(identity, password, address);
    },
    async create(account) {
      checkIdentity(account.identity);
      const made = await newAccount(account, clock());
      const write = { op: 'insert', collection: accountCollection, id: made.identity, doc: toDoc(made) } as const;
      const taken = caseInsensitiveLogin && (await load(made.identity)) !== undefined;
      const [written] = taken ? [] : await objects.write([write], { atomic: true });
      if (written === undefined || 'clash' in written) {
        throw new AppError('conflict', `account ${made.identity} exists`, { publicText: 'The account exists already' });
      }
      await announce(made);
      return made;
    },
    change: (identity, change: AccountChange) => rewrite(identity, (account) => applyChange(account, change, clock())),
    async remove(identity) {
      const found = await load(identity);
      if (!found) return;
      await objects.write([{ op: 'delete', collection: accountCollection, id: found.account.identity }], {
        atomic: true,
      });
      await announce(found.account);
    },
    onChange(receive) {
      receivers.add(receive);
      return () => receivers.delete(receive);
    },
  };
}
