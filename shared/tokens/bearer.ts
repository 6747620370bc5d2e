import { hash } from 'node:crypto';
import { holdsFor, toIdentity, type Account, type Accounts } from '#accounts/account.ts';
import type { Identity } from '#accounts/identity.ts';
import type { StateStore } from '#stores/state-store.ts';

/** What the OAuth side writes under `keyOf('AccessToken', token)` as JSON, and rest reads. Times in seconds since 1970. */
export interface BearerRecord {
  readonly kind: 'AccessToken' | 'ClientCredentials';
  /** Absent for client credentials, which act as the client's own account. */
  readonly accountId?: string;
  readonly clientId: string;
  /** Words with blanks between. */
  readonly scope?: string;
  readonly iat: number;
  readonly exp: number;
  /** Must still stand under `keyOf('Grant', grantId)`. Absent for client credentials. */
  readonly grantId?: string;
  /** Present with `expiresWithSession`: the token ends with that session. */
  readonly sessionUid?: string;
  readonly expiresWithSession?: boolean;
}

export interface Bearer {
  readonly user: Identity;
  readonly clientId: string;
  readonly scopes: ReadonlySet<string>;
}

/**
 * Where an artifact of the OAuth side lies; the id itself is not told by the key. Both kinds of access token share a place,
 * so that a token is found in one read: who reads for one kind looks at `kind`.
 */
export const keyOf = (model: string, id: string): string => {
  const place = model === 'ClientCredentials' ? 'AccessToken' : model;
  return `oauth:${place}:${hash('sha256', id, 'base64url')}`;
};

export interface BearerDeps {
  readonly state: Pick<StateStore, 'get'>;
  readonly accounts: Pick<Accounts, 'find'>;
  /** Whether the browser session with this uid still lives. */
  readonly isSessionAlive: (uid: string) => Promise<boolean>;
  readonly clock?: () => number;
}

const form = /^[\w-]{20,200}$/;
const mostRemembered = 10_000;

/**
 * Finds the holder of an access token. Undefined when it is unknown, expired or revoked, its grant or session is over,
 * or its account or client is gone or disabled. Reads token and grant at once when the token was seen before.
 */
export function createBearerTokens({ state, accounts, isSessionAlive, clock = Date.now }: BearerDeps) {
  const grants = new Map<string, string>(); // token key → grant key, which never changes; what they hold is read each time

  function remember(tokenKey: string, grantKey: string): void {
    if (grants.has(tokenKey)) return;
    grants.set(tokenKey, grantKey);
    if (grants.size > mostRemembered) grants.delete(grants.keys().next().value!);
  }

  async function read(token: string): Promise<{ record: BearerRecord; granted: boolean } | undefined> {
    const tokenKey = keyOf('AccessToken', token);
    const known = grants.get(tokenKey);
    const [text, early] = await Promise.all([state.get(tokenKey), known === undefined ? undefined : state.get(known)]);
    if (text === undefined) return undefined;
    const record = JSON.parse(text) as BearerRecord;
    if (record.kind === 'ClientCredentials') return { record, granted: record.accountId === undefined };
    if (record.grantId === undefined) return { record, granted: false };
    const grantKey = keyOf('Grant', record.grantId);
    remember(tokenKey, grantKey);
    return { record, granted: (known === grantKey ? early : await state.get(grantKey)) !== undefined };
  }

  const session = ({ expiresWithSession, sessionUid }: BearerRecord): Promise<boolean> | boolean => {
    if (expiresWithSession !== true) return true;
    return sessionUid !== undefined && isSessionAlive(sessionUid);
  };

  const account = async (identity: string, issued: number): Promise<Account | undefined> => {
    const found = await accounts.find(identity);
    return holdsFor(found, issued) ? found : undefined;
  };

  return {
    async find(token: string): Promise<Bearer | undefined> {
      if (!form.test(token)) return undefined;
      const found = await read(token);
      if (!found?.granted || !isPlainAccess(found.record) || found.record.exp * 1000 <= clock()) return undefined;
      const { record } = found;
      const issued = record.iat * 1000 + 999; // whole seconds, rounded down
      const [user, client, alive] = await Promise.all([
        account(record.accountId ?? record.clientId, issued),
        account(record.clientId, issued),
        session(record),
      ]);
      if (!user || !client || !alive) return undefined;
      return { user: toIdentity(user), clientId: client.identity, scopes: new Set(record.scope?.split(' ')) };
    },
  };
}
export type BearerTokens = ReturnType<typeof createBearerTokens>;

/** Not bound to a key that the caller would have to prove, and an access token at all. */
const isPlainAccess = (record: BearerRecord): boolean =>
  (record.kind === 'AccessToken' || record.kind === 'ClientCredentials') &&
  !('jkt' in record) &&
  !('x5t#S256' in record);
