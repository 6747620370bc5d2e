import { createHash, createHmac } from 'node:crypto';
import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';
import type { ObjectStore } from '#stores/object-store.ts';
import type { FileRole, FileUser } from './access-file.ts';
import { readAccessFiles } from './access-file.ts';
import type { Account, Accounts } from './account.ts';
import { isIdentity } from './account-store.ts';

export interface AccessFilesDeps {
  readonly objects: Pick<ObjectStore, 'prepare' | 'get' | 'write'>;
  readonly accounts: Pick<Accounts, 'find' | 'create' | 'change'>;
  /** Stores a role unless it was changed since by hand (`kept`). */
  readonly putRole: (role: FileRole, source: string) => Promise<'created' | 'updated' | 'kept' | 'same'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Of the installation: what is kept of a file's password is a digest under this key. */
  readonly key: Buffer;
}

export type Outcome = 'created' | 'updated' | 'kept' | 'same';

/** What was taken from access files, by account. */
export const accessLedger = '_accessFiles';
/** In place of a print while the account is being made. */
const pending = 'pending';

/** Part of an account that a file can say; the time of the password stands for the password. */
const printOf = ({ name, roles, disabled, needPasswordReset, properties, passwordSince }: Account): string =>
  createHash('sha256')
    .update(JSON.stringify([name, roles, disabled, needPasswordReset, properties, passwordSince]))
    .digest('base64url');

/**
 * Brings the access files of an application into the store: missing entries are created, those whose file changed and which
 * nobody touched are updated, all else stays as it is, with a warning. An account that was removed stays removed.
 */
export async function applyAccessFiles(
  application: string,
  deps: AccessFilesDeps,
): Promise<Readonly<Record<Outcome, number>>> {
  const { objects, log } = deps;
  await objects.prepare([{ name: accessLedger, indexes: [] }]);
  const list = await readAccessFiles(application);
  for (const warning of list.warnings) log.warn(warning);
  const outcomes: Record<Outcome, number> = { created: 0, updated: 0, kept: 0, same: 0 };
  for (const { role, source } of list.roles) {
    const outcome = await deps.putRole(role, source);
    if (outcome === 'kept') log.warn(`role ${role.id} was changed since, ${source} is not applied to it`);
    outcomes[outcome] += 1;
  }
  for (const { user, source } of list.users) {
    if (!isIdentity(user.identity)) throw new Error(`${source}: ${user.identity} is not <user>@<type>`);
    const outcome = await applyUser(user, deps);
    if (outcome === 'kept') log.warn(`account ${user.identity} was changed since, ${source} is not applied to it`);
    outcomes[outcome] += 1;
  }
  if (outcomes.created + outcomes.updated > 0) log.info('access files read', outcomes);
  return outcomes;
}

async function applyUser({ identity, ...user }: FileUser, deps: AccessFilesDeps): Promise<Outcome> {
  const { objects, accounts, key } = deps;
  const { password, passwordHash, ...rest } = user;
  const digest = (value: unknown) => createHmac('sha256', key).update(JSON.stringify(value)).digest('base64url');
  const secret = digest([identity, password, passwordHash]);
  const entry = digest([rest, secret]);
  const remember = async (print: string): Promise<void> => {
    const write = { op: 'upsert', collection: accessLedger, id: identity, doc: { entry, secret, print } } as const;
    await objects.write([write], { atomic: true });
  };
  // in this order: another process that starts now writes the ledger before it makes the account
  const account = await accounts.find(identity);
  const [known] = await objects.get(accessLedger, [identity]);
  const print = known?.doc['print'];

  if (account && print === pending) {
    await remember(printOf(account));
    return 'same';
  }
  if (!account && (print === undefined || print === pending)) {
    await remember(pending);
    const made = await accounts.create({ identity, ...user }).catch(onlyConflict);
    if (made) await remember(printOf(made));
    return made ? 'created' : 'same';
  }
  if (known?.doc['entry'] === entry) return 'same';
  if (!account || print !== printOf(account)) {
    await remember('changed by hand');
    return 'kept';
  }
  await remember(printOf(await accounts.change(identity, known?.doc['secret'] === secret ? rest : user)));
  return 'updated';
}

function onlyConflict(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'conflict') return undefined;
  throw error;
}
