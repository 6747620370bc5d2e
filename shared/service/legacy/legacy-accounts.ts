import { toIdentity, type Accounts } from '#accounts/account.ts';
import { qualify, type Identity } from '#accounts/identity.ts';
import type { ServiceTokens } from '#tokens/service-tokens.ts';
import type { LegacyUser } from './legacy-user.ts';
import { userOf } from './listeners.ts';

type Callback = (error?: unknown, user?: LegacyUser) => void;

/** `auth` of old services. */
export interface LegacyAuth {
  /** Who calls; null for nobody. */
  getUser(request: { readonly user?: Identity | null } | undefined): LegacyUser | null;
  /** Makes a local account. Answers by promise, and by callback where one is given. */
  register(account: Registration, done?: Callback): Promise<LegacyUser | undefined>;
  userProfile(user: LegacyUser | string): Promise<Readonly<Record<string, unknown>> | null>;
}

export interface Registration {
  readonly name: string;
  readonly pwd: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** `ws` (or `wsAuth`) of old services. */
export interface LegacyWsAuth {
  /** Null when they are wrong. */
  authenticate(credentials: Credentials): Promise<LegacyUser | null>;
  /** A service token of an account. */
  generateToken(id: string, type?: string): Promise<string>;
}

interface Credentials {
  readonly user?: string;
  readonly pwd?: string;
  readonly type?: string;
  readonly token?: string;
}

export function createLegacyAuth(accounts: Pick<Accounts, 'find' | 'create'>): LegacyAuth {
  const register = async ({ name, pwd, type = 'local', properties = {} }: Registration) => {
    const account = await accounts.create({ identity: qualify(name, type), name, password: pwd, properties });
    return userOf(toIdentity(account));
  };
  return {
    getUser: (request) => userOf(request?.user) ?? null,
    async register(account, done) {
      if (done === undefined) return register(account);
      const outcome = await register(account).then(
        (user) => ({ user }),
        (error: unknown) => ({ error }),
      );
      if ('error' in outcome) done(outcome.error);
      else done(null, outcome.user);
      return 'user' in outcome ? outcome.user : undefined;
    },
    async userProfile(user) {
      const id = typeof user === 'string' ? user : user.id();
      const account = await accounts.find(id);
      return account === undefined ? null : { id, name: account.name, type: account.type, ...account.properties };
    },
  };
}

interface WsDeps {
  readonly accounts: Pick<Accounts, 'verify'>;
  readonly tokens: Pick<ServiceTokens, 'find' | 'make'>;
  /** Seconds. */
  readonly tokenLifetime: number;
}

export const createLegacyWsAuth = ({ accounts, tokens, tokenLifetime }: WsDeps): LegacyWsAuth => ({
  async authenticate({ user, pwd, type = 'system', token }) {
    if (typeof token === 'string') return userOf((await tokens.find(token))?.owner) ?? null;
    if (typeof user !== 'string' || typeof pwd !== 'string') return null;
    const verdict = await accounts.verify(qualify(user, type), pwd, 'service'); // counts by account, not by any client's address
    return 'account' in verdict ? (userOf(toIdentity(verdict.account)) ?? null) : null;
  },
  generateToken: async (id, type = 'system') =>
    (await tokens.make(qualify(id, type), { ttl: tokenLifetime, name: 'made by a service' })).token,
});
