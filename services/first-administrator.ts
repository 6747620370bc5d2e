import { readAccessFiles } from '#accounts/access-file.ts';
import type { Account, Accounts } from '#accounts/account.ts';
import type { Role, Roles } from '#access/roles.ts';
import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';
import type { ObjectStore } from '#stores/object-store.ts';

export interface FirstAdministratorDeps {
  readonly objects: Pick<ObjectStore, 'prepare' | 'get' | 'write'>;
  readonly accounts: Pick<Accounts, 'list' | 'create'>;
  readonly roles: Pick<Roles, 'list' | 'putRole'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface FirstAdministratorOptions {
  readonly identity: string;
  readonly password: string | undefined;
  /** Folder of the application: accounts of its access files do not make a store used. */
  readonly application: string;
}

/** Says that this store has had an administrator: whoever is removed later stays removed. */
const marks = { name: '_firstAdministrator', indexes: [] };
const mark = 'done';

const source = 'first start';
const isFull = ({ permissions }: Role): boolean => permissions['*']?.includes('full') === true;

/**
 * Makes the first administrator of a store in which nobody was ever able to administrate, from a password that the installation
 * was given; never in a store with accounts that are not of access files, never twice, by any number of processes at once.
 * Without a password nothing is made. Gives whether somebody can administrate, or could once.
 */
export async function makeFirstAdministrator(
  { identity, password, application }: FirstAdministratorOptions,
  deps: FirstAdministratorDeps,
): Promise<boolean> {
  const { objects, log } = deps;
  if ((await objects.get(marks.name, [mark]))[0] !== undefined) return true;
  const accounts = await deps.accounts.list();
  let found = await hasAdministrator(accounts, deps);
  if (!found && password !== undefined && (await isUnused(accounts, application))) {
    const role = await roleForAll(deps);
    // two processes at once: the store lets one of them in
    const made = await deps.accounts.create({ identity, password, name: 'Administrator', roles: [role] }).catch(onlyConflict); // prettier-ignore
    if (made) log.info('first administrator made', { account: identity, role });
    found = await hasAdministrator(await deps.accounts.list(), deps);
  }
  if (!found) return false;
  await objects.prepare([marks]);
  await objects.write([{ op: 'upsert', collection: marks.name, id: mark, doc: {} }], { atomic: true });
  return true;
}

async function hasAdministrator(accounts: readonly Account[], { roles }: FirstAdministratorDeps): Promise<boolean> {
  const full = new Set((await roles.list()).filter(isFull).map(({ id }) => id));
  return accounts.some(
    ({ identity, disabled, passwordHash, roles: own }) =>
      !disabled && passwordHash !== '' && [identity, '*', ...own].some((name) => full.has(name)),
  );
}

async function isUnused(accounts: readonly Account[], application: string): Promise<boolean> {
  if (accounts.length === 0) return true;
  const { users } = await readAccessFiles(application);
  const ofFiles = new Set(users.map(({ user }) => user.identity));
  return accounts.every(({ identity }) => ofFiles.has(identity));
}

/** A role with all rights: one that is there, or a new one under a name that is free. */
async function roleForAll({ roles }: FirstAdministratorDeps): Promise<string> {
  const held = await roles.list();
  const full = held.filter(isFull);
  const there = full.find(({ id }) => id === 'admin') ?? full.find(({ id }) => id !== '*' && !id.includes('@'));
  if (there) return there.id;
  const id = held.some((role) => role.id === 'admin') ? 'administrator' : 'admin';
  await roles.putRole({ id, name: 'Administrator', permissions: { '*': ['full'] } }, source);
  return id;
}

function onlyConflict(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'conflict') return undefined;
  throw error;
}

/** What to do where nobody can administrate. */
export const administratorHint =
  'no account can administrate this installation: run `portico role put admin "*=full"` and ' +
  '`portico user add admin --role admin`, or give an empty store PORTICO_ADMIN_PASSWORD_FILE before its first start';
