import type { Access, Permission, Rights } from '#access/rights.ts';
import type { Class, Loaded } from '#meta/class.ts';
import { all, and, type Filter } from '#query/filter.ts';
import type { Attempt, Guard } from './guard.ts';

/** What one caller may do, rights and guards together; of trusted code: everything. Good for one call. */
export interface Sight {
  readonly trusted: boolean;
  mayClass(permission: Permission, itsClass: Class): 'all' | 'some' | 'none';
  mayObject(permission: Permission, itsClass: Class, id: string): boolean;
  sees(objects: readonly Loaded[]): Promise<readonly boolean[]>;
  /** One answer per attempt: the roles allow it and no guard refuses. */
  allows(attempts: readonly Attempt[]): Promise<readonly boolean[]>;
  filter(permission: Permission, itsClass: Class): Promise<Filter>;
}

export const trustedSight: Sight = {
  trusted: true,
  mayClass: () => 'all',
  mayObject: () => true,
  sees: async (objects) => objects.map(() => true),
  allows: async (attempts) => attempts.map(() => true),
  filter: async () => all,
};

export async function sightOf(
  identity: string | null,
  access: Pick<Access, 'rightsOf'>,
  guards: readonly Guard[],
): Promise<Sight> {
  const rights: Rights = await access.rightsOf(identity);
  const allows = async (attempts: readonly Attempt[]) => {
    const byRole = attempts.map(({ permission, object }) => rights.mayObject(permission, object.itsClass, object.id));
    const refused = await Promise.all(guards.map((guard) => guard.refuses(attempts, identity)));
    return byRole.map((allowed, place) => allowed && !refused.some((answers) => answers[place] === true));
  };
  return {
    trusted: false,
    mayClass: (permission, itsClass) => rights.mayClass(permission, itsClass),
    mayObject: (permission, itsClass, id) => rights.mayObject(permission, itsClass, id),
    sees: (objects) => allows(objects.map((object) => ({ permission: 'read', object }))),
    allows,
    async filter(permission, itsClass) {
      const narrowed = await Promise.all(guards.map((guard) => guard.filter(permission, itsClass, identity)));
      return and(rights.filter(permission, itsClass), ...narrowed);
    },
  };
}
