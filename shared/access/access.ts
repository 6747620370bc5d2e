import type { Classes } from '#meta/class.ts';
import type { Log } from '#log.ts';
import { compileRights } from './compile-rights.ts';
import type { Access, IdentityProvider, Rights } from './rights.ts';
import type { Role, Roles } from './roles.ts';

export interface AccessDeps {
  readonly roles: Pick<Roles, 'list' | 'onChange'>;
  /** Roles granted to an identity; empty for one that is unknown. Should answer from memory. */
  readonly rolesOf: (identity: string) => Promise<readonly string[]>;
  readonly providers?: readonly IdentityProvider[];
  /** Lets rights by resource name follow the ancestors of a class. */
  readonly classes?: Pick<Classes, 'get'>;
  readonly log: Log;
  /** Milliseconds after which roles are read again even without news of a change. */
  readonly maxAge?: number;
  readonly clock?: () => number;
}

/** One reading of the roles: what was compiled from it goes with it. */
interface Snapshot {
  readonly byId: ReadonlyMap<string, Role>;
  readonly named: ReadonlySet<string>;
  readonly compiled: Map<string, Rights>;
  readonly readAt: number;
}

const everybody = '*';
const mostCompiled = 5000;

/** Rights from the roles in memory; they are read anew when any process changes a role. Fails closed when roles cannot be read. */
export function createAccess(deps: AccessDeps): Access & { close(): void } {
  const { roles, rolesOf, providers = [], classes, log, maxAge = 30_000, clock = Date.now } = deps;
  let current: Promise<Snapshot> | undefined;
  let latest: Snapshot | undefined; // what `current` gave, for those who need not wait
  const drop = () => {
    current = undefined;
    latest = undefined;
  };
  const unsubscribe = roles.onChange(drop);

  const read = async (): Promise<Snapshot> => {
    const readAt = clock();
    const list = await roles.list();
    return {
      byId: new Map(list.map((role) => [role.id, role])),
      named: new Set(list.flatMap((role) => Object.keys(role.permissions))),
      compiled: new Map(),
      readAt,
    };
  };

  const snapshot = async (): Promise<Snapshot> => {
    const reading = (current ??= read());
    try {
      const found = await reading;
      if (reading === current) latest = found;
      if (clock() - found.readAt <= maxAge) return found;
      if (current === reading) current = read();
      return await (current ?? read());
    } catch (error) {
      if (current === reading) drop();
      throw error;
    }
  };

  /** Names of everything the identity is: itself, its roles, what the providers find, and the roles of those. */
  const namesOf = async (identity: string): Promise<ReadonlySet<string>> => {
    const [direct, ...found] = await Promise.all([
      rolesOf(identity),
      ...providers.map((provider) =>
        provider(identity).catch((error: unknown) => {
          log.warn('an identity provider failed; only the direct roles count', { identity, error });
          return [];
        }),
      ),
    ]);
    const further = [...new Set(found.flat())].filter((name) => name !== identity);
    const theirs = await Promise.all(further.filter((name) => name.includes('@')).map(rolesOf));
    return new Set([everybody, identity, ...direct, ...further, ...theirs.flat()]);
  };

  return {
    async rightsOf(identity) {
      const [{ byId, named, compiled }, names] = await Promise.all([
        snapshot(),
        identity === null ? new Set([everybody]) : namesOf(identity),
      ]);
      const held = [...names].flatMap((name) => byId.get(name) ?? []);
      const key = JSON.stringify(held.map((role) => role.id));
      let rights = compiled.get(key);
      if (!rights) {
        rights = compileRights(held, named, classes);
        if (compiled.size >= mostCompiled) compiled.clear();
        compiled.set(key, rights);
      }
      return rights;
    },
    isNamed: (resource) => {
      if (latest && clock() - latest.readAt <= maxAge) return latest.named.has(resource);
      return snapshot().then(({ named }) => named.has(resource));
    },
    close: unsubscribe,
  };
}
