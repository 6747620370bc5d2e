import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccess } from '#access/access.ts';
import { createRoles, type Role } from '#access/roles.ts';
import { silentLog } from '#log.ts';
import { compileClasses } from '#meta/compile.ts';
import { openSqliteStores } from '#stores/sqlite/index.ts';
import { collectionsOf } from '#data/collections.ts';
import { createRepository, createSecuredRepository, type SecuredRepositoryDeps } from '#data/create-repository.ts';

export type Definition = Readonly<Record<string, unknown>> & { readonly name: string };

/** Repositories over stores in a folder of their own. `rights`: permissions by identity. */
export async function openData(
  definitions: readonly Definition[],
  rights: Readonly<Record<string, Role['permissions']>> = {},
  more: Partial<SecuredRepositoryDeps> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'portico-data-'));
  const stores = await openSqliteStores(folder, silentLog);
  const sources = definitions.map((content) => ({ file: `${content.name}.class.json`, content }));
  const { classes, faults } = compileClasses({ classes: sources, types: [] }, 'demo');
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  await stores.objects.prepare(collectionsOf(classes));
  const roles = createRoles(stores.objects, stores.bus);
  for (const [id, permissions] of Object.entries(rights)) await roles.put({ id, name: id, permissions });
  const access = createAccess({ roles, rolesOf: async () => [], classes, log: silentLog });
  const deps = {
    objects: stores.objects,
    files: stores.files,
    classes,
    access,
    hashPassword: async (password: string) => `hash of ${password.length}`,
    log: silentLog,
    ...more,
  };
  return {
    folder,
    stores,
    classes,
    roles,
    access,
    repo: createRepository(deps),
    secured: createSecuredRepository(deps),
    async close() {
      access.close();
      await stores.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type Data = Awaited<ReturnType<typeof openData>>;

export const identity = (id: string, properties = {}) => ({ id, name: id, properties });
