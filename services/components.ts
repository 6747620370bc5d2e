import { Acceptor } from '#builtin/acceptor/acceptor.ts';
import { Crud } from '#builtin/crud/crud.ts';
import { TokenService } from '#builtin/token/token-service.ts';
import { placeOf, toAbsolute } from '#components/application-place.ts';
import { buildScope } from '#components/build-scope.ts';
import type { Builtins, BuiltScope, Options } from '#components/scope.ts';
import { createLegacyFaces } from '#service/legacy/faces.ts';
import { registerApplication } from '#service/legacy/register-application.ts';
import type { Role } from './role.ts';
import type { Rooms } from './rooms.ts';

/** Builds the components that deploy.json names for these roles. Application code is loaded here, and only here. */
export async function buildComponents(rooms: Rooms, chosen: readonly Role[]): Promise<BuiltScope> {
  const { config, log } = rooms;
  const { application, namespace, file, plugins, rest, registry } = config;
  const built: { scope?: BuiltScope['scope'] } = {};
  const context = () => Object.fromEntries((built.scope?.names ?? []).map((name) => [name, built.scope?.get(name)]));
  const place = placeOf(application, namespace);
  registerApplication(application, { toAbsolute: (path) => toAbsolute(path, place), context });
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

/** The built-in services by canonical path, for looking at a deployment without rooms. */
export const builtinModules: Builtins['modules'] = {
  'modules/rest/lib/impl/crud': Crud,
  'modules/rest/lib/impl/acceptor': Acceptor,
  'modules/rest/lib/impl/token': TokenService,
};

/** The installation's own components by well-known name, and its modules by path. */
function createBuiltins(rooms: Rooms): Builtins {
  const { repository, secured, classes, accounts, access, config, log, stores, tokens } = rooms;
  const { settings } = config;
  const shared = { dataRepo: repository, securedDataRepo: secured, metaRepo: classes, files: stores.files, settings };
  class CrudOfRooms extends Crud {
    constructor(options: Options) {
      super({ ...options, ...shared, state: stores.state, digestKey: rooms.keys.digest });
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
      module: settled({ namespace: config.namespace }),
      settings: settled({ get: config.settings }),
    },
    legacy: createLegacyFaces({ ...rooms, tokenLifetime: settings('rest.tokenLifetime') }),
    modules: {
      'modules/rest/lib/impl/crud': CrudOfRooms,
      'modules/rest/lib/impl/acceptor': AcceptorOfRooms,
      'modules/rest/lib/impl/token': Token,
    },
  };
}
