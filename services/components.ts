import { TokenService } from '#builtin/token/token-service.ts';
import { buildScope } from '#components/build-scope.ts';
import type { Builtins, BuiltScope, Options } from '#components/scope.ts';
import { registerApplication } from '#service/legacy/register-application.ts';
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
    modules: { 'modules/rest/lib/impl/token': Token },
  };
}
