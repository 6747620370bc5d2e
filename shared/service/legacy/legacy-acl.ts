import type { Access, Permission } from '#access/rights.ts';
import { toCaller } from './legacy-input.ts';

const permissions: readonly Permission[] = ['read', 'write', 'delete', 'use', 'full'];
const listOf = <T>(value: T | readonly T[]): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T];

/** `aclProvider` of old services. A user object, an identity or its id; nobody else is asked about. */
export interface LegacyAcl {
  /** Whether all of the permissions hold. */
  checkAccess(user: unknown, resource: string, asked: Permission | readonly Permission[]): Promise<boolean>;
  getPermissions(user: unknown, resources: string | readonly string[]): Promise<Readonly<Record<string, Readonly<Record<string, true>>>>>; // prettier-ignore
}

export function createLegacyAcl(access: Access): LegacyAcl {
  const rightsOf = (user: unknown) => access.rightsOf(toCaller(user)?.id ?? null);
  return {
    async checkAccess(user, resource, asked) {
      const rights = await rightsOf(user);
      return listOf(asked).every((permission) => rights.may(permission, resource));
    },
    async getPermissions(user, resources) {
      const rights = await rightsOf(user);
      const heldOn = (resource: string) => permissions.filter((permission) => rights.may(permission, resource));
      return Object.fromEntries(
        listOf(resources).map((resource) => [
          resource,
          Object.fromEntries(heldOn(resource).map((permission) => [permission, true as const])),
        ]),
      );
    },
  };
}
