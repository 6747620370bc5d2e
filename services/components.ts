import { Acceptor } from '#builtin/acceptor/acceptor.ts';
import { Crud } from '#builtin/crud/crud.ts';
import { TokenService } from '#builtin/token/token-service.ts';
import { buildScope } from '#components/build-scope.ts';
import type { Builtins, BuiltScope, Options } from '#components/scope.ts';
import { createLegacyAuth, createLegacyWsAuth } from '#service/legacy/legacy-accounts.ts';
import { createLegacyAcl } from '#service/legacy/legacy-acl.ts';
import { createLegacyRepository } from '#service/legacy/legacy-data-repository.ts';
import { createLegacyMetaRepository } from '#service/legacy/legacy-meta-repository.ts';
import { registerApplication } from '#service/legacy/register-application.ts';
import type { Repository } from '#data/repository.ts';
import type { Role } from './role.ts';
import type { Rooms } from './rooms.ts';

/** Builds the components that deploy.json names for these roles. Application code is loaded here, and only here. */
export async function buildComponents(rooms: Rooms, chosen: readonly Role[]): Promise<BuiltScope> {
  const { config, log } = rooms;
  const { application, namespace, file, plugins, rest, registry } = config;
  const built: { scope?: BuiltScope['scope'] } = {};
  const context = () => Object.fromEntries((built.scope?.names ?? []).map((name) => [name, built.scope?.get(name)]));
  registerApplication(application, { toAbsolute: (path) => path, context });
  const scope = await buildScope({
    plugins,
    rest: chosen.includes('rest') ? rest.di : {},
    registry: chosen.includes('registry') ? registry.di : {},
    builtins: createBuiltins(rooms),
    application,
    namespace,
    file,
    log,
  });
  built.scope = scope.scope;
  return scope;
}

const settled = (component: unknown) => () => component;

/** The installation's own components by well-known name, and its modules by path. */
function createBuiltins(rooms: Rooms): Builtins {
  const { repository, secured, classes, accounts, access, config, log, stores, tokens } = rooms;
  const { settings } = config;
  const shared = { dataRepo: repository, securedDataRepo: secured, metaRepo: classes, files: stores.files, settings };
  class CrudOfRooms extends Crud {
    constructor(options: Options) {
      super({ ...options, ...shared, state: stores.state });
    }
  }
  class AcceptorOfRooms extends Acceptor {
    constructor(options: Options) {
      super({ ...options, ...shared });
    }
  }
  class Token extends TokenService {
    constructor(_options: Options) {
      super({ tokens, access, lifetime: config.settings('rest.tokenLifetime') });
    }
  }
  return {
    components: {
      dataRepo: settled(repository),
      cachedDataRepo: settled(repository),
      securedDataRepo: settled(secured),
      metaRepo: settled(classes),
      accounts: settled(accounts),
      auth: settled(accounts),
      wsAuth: settled(tokens),
      roleAccessManager: settled(rooms.roles),
      aclProvider: settled(access),
      actualAclProvider: settled(access),
      fileStorage: settled(stores.files),
      imageStorage: settled(stores.files),
      sysLog: settled(log),
      oauth: settled({}),
      Db: settled({}),
      application: settled({ namespace: config.namespace, folder: config.application }),
      settings: settled({ get: config.settings }),
    },
    legacy: createLegacyFaces(rooms),
    modules: {
      'modules/rest/lib/impl/crud': CrudOfRooms,
      'modules/rest/lib/impl/acceptor': AcceptorOfRooms,
      'modules/rest/lib/impl/token': Token,
    },
  };
}

/** The same components as old-style code knows them. */
function createLegacyFaces({ repository, secured, classes, listeners, accounts, tokens, access, config }: Rooms) {
  const over = (objects: Repository) => createLegacyRepository({ repository: objects, classes, listeners });
  const [trusted, checked] = [over(repository), over(secured)];
  const auth = createLegacyAuth(accounts);
  return {
    dataRepo: () => trusted,
    cachedDataRepo: () => trusted,
    securedDataRepo: () => checked,
    metaRepo: () => createLegacyMetaRepository(classes),
    auth: () => auth,
    accounts: () => auth,
    wsAuth: () => createLegacyWsAuth({ accounts, tokens, tokenLifetime: config.settings('rest.tokenLifetime') }),
    aclProvider: () => createLegacyAcl(access),
    actualAclProvider: () => createLegacyAcl(access),
    roleAccessManager: () => createLegacyAcl(access),
  };
}
