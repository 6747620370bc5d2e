import { applyAccessFiles } from '#accounts/access-files.ts';
import { sessionHoldsFor, type Accounts } from '#accounts/account.ts';
import { createAccounts } from '#accounts/accounts.ts';
import { hashPassword } from '#accounts/password.ts';
import { createThrottle, type Throttle } from '#accounts/throttle.ts';
import { createAccess } from '#access/access.ts';
import type { Access } from '#access/rights.ts';
import { createRoles, type Roles } from '#access/roles.ts';
import type { Config } from '#config/config.ts';
import { collectionsOf } from '#data/collections.ts';
import { createRepository, createSecuredRepository, type RepositoryDeps } from '#data/create-repository.ts';
import type { Repository } from '#data/repository.ts';
import { importSeeds } from '#data/seeds.ts';
import type { Log } from '#log.ts';
import type { Classes } from '#meta/class.ts';
import { loadClasses } from '#meta/load.ts';
import { selectionFaults } from '#query/choices.ts';
import { createListeners, type Listeners } from '#service/legacy/listeners.ts';
import { createSessions, type Sessions } from '#sessions/sessions.ts';
import type { Stores } from '#stores/stores.ts';
import { checkStoreVersion } from '#transfer/store-version.ts';
import { createBearerTokens, type BearerTokens } from '#tokens/bearer.ts';
import { deriveKeys, type Keys } from '#tokens/keys.ts';
import { createServiceTokens, type ServiceTokens } from '#tokens/service-tokens.ts';
import { openStores } from './open-stores.ts';
import { loadSecret } from './secret.ts';

/** What every role is built from: the configuration, the open stores and the rooms over them. */
export interface Rooms {
  readonly config: Config;
  readonly log: Log;
  readonly stores: Stores;
  readonly keys: Keys;
  readonly classes: Classes;
  readonly roles: Roles;
  readonly access: Access;
  readonly accounts: Accounts;
  readonly throttle: Throttle;
  readonly tokens: ServiceTokens;
  readonly bearer: BearerTokens;
  readonly sessions: Sessions;
  /** Of old-style code: hear of every write through the repositories. */
  readonly listeners: Listeners;
  /** Checks nothing: for trusted code. */
  readonly repository: Repository;
  /** Checks the rights of the identity it is given. */
  readonly secured: Repository;
  /** base_url is https. */
  readonly secure: boolean;
  /** In reverse order of opening; writes that were accepted end first. */
  close(): Promise<void>;
}

/** Opens the stores of a configuration and brings the application's access files and seeds into them. */
export async function openRooms(config: Config, log: Log): Promise<Rooms> {
  const { installation, application, namespace } = config;
  const classes = await loadClasses(application, namespace, log);
  for (const fault of selectionFaults(classes)) log.warn(`class file: ${fault}`);
  const keys = deriveKeys(await loadSecret(installation.secret, installation.dataFolder));
  const stores = await openStores(config, log);
  try {
    await checkStoreVersion(stores.objects);
    await stores.objects.prepare(collectionsOf(classes));
    const { rooms, data } = await furnish({ config, log, stores, keys, classes });
    const { objects } = stores;
    const { accounts, roles } = rooms;
    await applyAccessFiles(application, {
      objects,
      accounts,
      putRole: (role, source) => roles.putRole(role, source),
      log,
      key: keys.digest,
    });
    const seeds = await importSeeds(application, data);
    if (seeds.created + seeds.updated > 0) log.info('objects of the application imported', { ...seeds });
    return rooms;
  } catch (error) {
    await stores.close();
    throw error;
  }
}

type Ground = Pick<Rooms, 'config' | 'log' | 'stores' | 'keys' | 'classes'>;

async function furnish(ground: Ground): Promise<{ rooms: Rooms; data: RepositoryDeps }> {
  const { config, log, stores, keys, classes } = ground;
  const { settings, installation } = config;
  const { objects, state, bus, files } = stores;
  const secure = installation.publicUrl.startsWith('https:');
  const caseInsensitiveLogin = config.plugins['accounts']?.options?.['caseInsensitiveLogin'] === true;
  const accounts = await createAccounts({ objects, state, bus, settings, log, key: keys.digest, caseInsensitiveLogin });
  const roles = createRoles(objects, bus);
  const rolesOf = async (identity: string) => (await accounts.find(identity))?.roles ?? [];
  const access = createAccess({ roles, rolesOf, classes, log });
  const holds = async (user: string, at: number) => sessionHoldsFor(await accounts.find(user), at);
  const sessions = createSessions({ state, settings, key: keys.cookie, secure, holds });
  const limits = { file: settings('http.fileLimit'), nested: settings('http.maxItems') };
  const listeners = createListeners(classes);
  const data = { objects, files, classes, hashPassword, log, limits, hooks: listeners.hooks };
  const rooms = {
    ...ground,
    roles,
    access,
    accounts,
    throttle: createThrottle({ state, settings, clock: Date.now }),
    tokens: createServiceTokens({ state, accounts, log }),
    bearer: createBearerTokens({ state, accounts, isSessionAlive: (uid) => sessions.isAlive(uid) }),
    sessions,
    listeners,
    repository: createRepository(data),
    secured: createSecuredRepository({ ...data, access }),
    secure,
    close: async () => {
      access.close();
      await stores.close();
    },
  };
  return { rooms, data };
}
