import type { Access } from '#access/rights.ts';
import type { Accounts } from '#accounts/account.ts';
import type { Repository } from '#data/repository.ts';
import type { Log } from '#log.ts';
import type { Classes } from '#meta/class.ts';
import type { ServiceTokens } from '#tokens/service-tokens.ts';
import { createLegacyAuth, createLegacyWsAuth } from './legacy-accounts.ts';
import { createLegacyAcl } from './legacy-acl.ts';
import { createLegacyRepository } from './legacy-data-repository.ts';
import { createLegacyLog } from './legacy-log.ts';
import { createLegacyMetaRepository } from './legacy-meta-repository.ts';
import type { Listeners } from './listeners.ts';

export interface FacesDeps {
  readonly classes: Classes;
  /** Its `hooks` are to be those of the repositories. */
  readonly listeners: Listeners;
  readonly accounts: Pick<Accounts, 'find' | 'create' | 'verify'>;
  readonly tokens: Pick<ServiceTokens, 'find' | 'make'>;
  /** Seconds. */
  readonly tokenLifetime: number;
  readonly access: Access;
  readonly log: Log;
  /** Further members of `metaRepo`, such as navigation and views. */
  readonly published?: object;
}

export type Face = (component: unknown) => unknown;

/** The well-known components as old-style code is to see them, by name. */
export function createLegacyFaces(deps: FacesDeps): Readonly<Record<string, Face>> {
  const { classes, listeners, access, log, published } = deps;
  const repository: Face = (component) =>
    createLegacyRepository({ repository: component as Repository, classes, listeners });
  const acl: Face = () => createLegacyAcl(access);
  return {
    dataRepo: repository,
    cachedDataRepo: repository,
    securedDataRepo: repository,
    metaRepo: () => createLegacyMetaRepository(classes, published),
    auth: () => createLegacyAuth(deps.accounts),
    wsAuth: () => createLegacyWsAuth(deps),
    aclProvider: acl,
    actualAclProvider: acl,
    sysLog: () => createLegacyLog(log),
  };
}
