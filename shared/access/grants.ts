import type { Permission } from './rights.ts';
import type { Role } from './roles.ts';

/** What one set of roles gives, by resource name. */
export interface Grants {
  /** The rule that gives the permission on exactly this resource (or on `*`); undefined: none does. */
  rule(permission: Permission, resource: string): string | undefined;
  /** Ids of objects of a class that are named one by one (`i:::<class>@<ns>@<id>`). */
  objects(permission: Permission, classCode: string): readonly string[];
}

const everything = '*';

export function compileGrants(roles: readonly Role[]): Grants {
  const rules = new Map<string, Map<string, string>>();
  const objects = new Map<string, { readonly id: string; readonly given: Map<string, string> }[]>();
  for (const role of roles) {
    for (const [resource, permissions] of Object.entries(role.permissions)) {
      const given = rules.get(resource) ?? new Map<string, string>();
      if (!rules.has(resource)) {
        rules.set(resource, given);
        const single = parseObjectResource(resource);
        if (single) objects.set(single.code, [...(objects.get(single.code) ?? []), { id: single.id, given }]);
      }
      for (const permission of permissions) {
        if (!given.has(permission)) given.set(permission, describe(role, permission, resource));
      }
    }
  }
  const find = (permission: Permission, given: Map<string, string> | undefined) =>
    given?.get('full') ?? given?.get(permission);
  return {
    rule: (permission, resource) => find(permission, rules.get(everything)) ?? find(permission, rules.get(resource)),
    objects: (permission, code) =>
      (objects.get(code) ?? []).filter((one) => find(permission, one.given) !== undefined).map((one) => one.id),
  };
}

/** `i:::<class>@<ns>@<id>`; the id may hold `@` itself. */
export function parseObjectResource(resource: string): { readonly code: string; readonly id: string } | undefined {
  const match = /^i:::([^@]+@[^@]+)@(.+)$/s.exec(resource);
  return match ? { code: match[1]!, id: match[2]! } : undefined;
}

const describe = (role: Role, permission: string, resource: string): string =>
  `role ${role.id} gives ${permission} on ${resource}${role.source === undefined ? '' : ` (${role.source})`}`;
