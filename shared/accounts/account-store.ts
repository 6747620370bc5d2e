import { AppError } from '#errors.ts';
import type { Doc, ObjectStore, Stored, Value } from '#stores/object-store.ts';
import type { Account, AccountChange, NewAccount } from './account.ts';
import { hashPassword, isKnownHash, longestPassword } from './password.ts';

export const accountCollection = '_accounts';

export interface StoredAccount {
  readonly account: Account;
  readonly revision: number;
}

const identityForm = /^(?=\S)[^\p{C}]{1,200}(?<=\S)@[\w.-]{1,50}$/u;
export const isIdentity = (text: string): boolean => identityForm.test(text);

const invalid = (property: string, message: string) =>
  new AppError('invalid', message, { publicText: message, faults: [{ property, code: 'account', message }] });

export const checkIdentity = (identity: string): void => {
  if (!isIdentity(identity)) throw invalid('identity', 'An account is named <user>@<type>');
};

/** Reads what `toDoc` wrote; a document that lacks a part is read as harmless. */
export function toAccount({ id, doc }: Pick<Stored, 'id' | 'doc'>): Account {
  const text = (name: string) => (typeof doc[name] === 'string' ? doc[name] : '');
  const time = (name: string) => (typeof doc[name] === 'number' ? doc[name] : 0);
  const roles = Array.isArray(doc['roles']) ? (doc['roles'] as readonly unknown[]) : [];
  return {
    identity: id,
    type: id.slice(id.lastIndexOf('@') + 1),
    name: text('name'),
    disabled: doc['disabled'] !== false,
    needPasswordReset: doc['needPasswordReset'] === true,
    roles: roles.filter((role) => typeof role === 'string'),
    properties: (doc['properties'] ?? {}) as Readonly<Record<string, unknown>>,
    passwordHash: text('passwordHash'),
    created: time('created'),
    passwordSince: time('passwordSince'),
  };
}

/** `login` is the name in lower case, for installations where case does not count. */
export const toDoc = (account: Account): Doc => ({
  login: account.identity.toLowerCase(),
  name: account.name,
  disabled: account.disabled,
  needPasswordReset: account.needPasswordReset,
  roles: account.roles,
  properties: account.properties as { readonly [name: string]: Value },
  passwordHash: account.passwordHash,
  created: account.created,
  passwordSince: account.passwordSince,
});

async function hashOf({ password, passwordHash }: AccountChange): Promise<string | undefined> {
  if (password !== undefined) {
    if (password === '') throw invalid('password', 'A password cannot be empty');
    if (Buffer.byteLength(password) > longestPassword) throw invalid('password', 'The password is too long');
    return hashPassword(password);
  }
  if (passwordHash !== undefined && !isKnownHash(passwordHash))
    throw invalid('passwordHash', 'This form of hash is not known');
  return passwordHash;
}

const defined = (change: AccountChange): AccountChange =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

/** The account after a change; without a password nobody can sign in. */
export async function applyChange(account: Account, change: AccountChange, now: number): Promise<Account> {
  const passwordHash = await hashOf(change);
  const { password: _, passwordHash: __, ...rest } = defined(change);
  return { ...account, ...rest, ...(passwordHash === undefined ? {} : { passwordHash, passwordSince: now }) };
}

export const newAccount = ({ identity, ...change }: NewAccount, now: number): Promise<Account> =>
  applyChange(
    {
      identity,
      type: identity.slice(identity.lastIndexOf('@') + 1),
      name: identity.slice(0, identity.lastIndexOf('@')),
      disabled: false,
      needPasswordReset: false,
      roles: [],
      properties: {},
      passwordHash: '',
      created: now,
      passwordSince: now,
    },
    change,
    now,
  );

/** Finds accounts in the store. Where case does not count, the name as written wins over one that differs in case. */
export const createFinder =
  (objects: Pick<ObjectStore, 'get' | 'find'>, caseInsensitive: boolean) =>
  async (identity: string): Promise<StoredAccount | undefined> => {
    let [stored] = await objects.get(accountCollection, [identity]);
    if (!stored && caseInsensitive) {
      const filter = { op: 'eq', path: 'login', value: identity.toLowerCase() } as const;
      [stored] = await objects.find(accountCollection, { filter, count: 1 });
    }
    return stored && { account: toAccount(stored), revision: stored.revision };
  };
