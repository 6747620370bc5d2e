import { createHash } from 'node:crypto';
import { all } from '#query/filter.ts';
import type { Bus } from '#stores/bus.ts';
import type { Doc, ObjectStore, Stored } from '#stores/object-store.ts';

/** Permissions by resource name. Resources of other modules are kept and mean nothing here. */
export interface Role {
  readonly id: string;
  readonly name: string;
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  /** The access file it was last taken from; absent for a role made by hand. */
  readonly source?: string;
}

/** `kept`: changed in the store since the file was read last, so the file's new content was not taken. */
export type RoleImport = 'created' | 'updated' | 'kept' | 'same';

export interface Roles {
  list(): Promise<readonly Role[]>;
  put(role: Role): Promise<void>;
  /** False when there was none. */
  remove(id: string): Promise<boolean>;
  /** Takes a role from an access file: each content once, never over a change made since. */
  putRole(role: Role, source: string): Promise<RoleImport>;
  /** Called after a change in any process, and when one may have gone unnoticed. The answer ends it. */
  onChange(receive: () => void): () => void;
}

export const rolesCollection = '_roles';
/** Whoever stores a role publishes its id here. */
export const rolesTopic = 'access.roles';
const pageSize = 1000;

export function createRoles(objects: Pick<ObjectStore, 'find' | 'get' | 'write'>, bus: Bus): Roles {
  const write = async (id: string, doc: Doc) => {
    await objects.write([{ op: 'upsert', collection: rolesCollection, id, doc }], { atomic: true });
    await bus.publish(rolesTopic, id);
  };
  return {
    async list() {
      const found: Stored[] = [];
      for (let after: string | undefined; ; after = found.at(-1)?.id) {
        const page = await objects.find(rolesCollection, {
          filter: all,
          count: pageSize,
          ...(after === undefined ? {} : { after }),
        });
        found.push(...page);
        if (page.length < pageSize) return found.map(toRole);
      }
    },
    put: (role) => write(role.id, { ...toDoc(role), touched: true }),
    async remove(id) {
      const [written] = await objects.write([{ op: 'delete', collection: rolesCollection, id }], { atomic: true });
      await bus.publish(rolesTopic, id);
      return written !== undefined && !('clash' in written);
    },
    async putRole(role, source) {
      const hash = digest(role);
      const [stored] = await objects.get(rolesCollection, [role.id]);
      const imported = (stored?.doc['imported'] ?? {}) as Record<string, string>;
      if (imported[source] === hash) return 'same';
      const doc = { ...toDoc(role), source, imported: { ...imported, [source]: hash } };
      if (stored?.doc['touched'] !== true) {
        await write(role.id, doc);
        return stored === undefined ? 'created' : 'updated';
      }
      // remembered as seen, so that the warning comes once per content
      await write(role.id, { ...stored.doc, imported: doc.imported });
      return digest(toRole(stored)) === hash ? 'same' : 'kept';
    },
    onChange: (receive) => bus.subscribe(rolesTopic, receive),
  };
}

const toDoc = ({ id, name, permissions }: Role): Doc => ({ id, name, permissions });

function toRole({ id, doc }: Stored): Role {
  const { name, source } = doc;
  return {
    id,
    name: typeof name === 'string' ? name : id,
    permissions: (doc['permissions'] ?? {}) as Role['permissions'],
    ...(typeof source === 'string' ? { source } : {}),
  };
}

const digest = ({ name, permissions }: Role): string =>
  createHash('sha256')
    .update(JSON.stringify([name, Object.entries(permissions).sort(([a], [b]) => (a < b ? -1 : 1))]))
    .digest('hex');
