import { all, none, type Filter } from '#query/filter.ts';
import type { Class, Classes } from '#meta/class.ts';
import { compileGrants, parseObjectResource } from './grants.ts';
import type { Permission, Rights } from './rights.ts';
import type { Role } from './roles.ts';

/** What may be called by everybody until some role names it: services. */
const openUntilNamed = /^s:::/;

/**
 * The rights of whoever has `held`. A right on a class holds for its descendants too (docs/access-control.md).
 * @param named every resource that any role names
 * @param classes lets `may` and `explain` follow ancestors by name
 */
export function compileRights(
  held: readonly Role[],
  named: ReadonlySet<string>,
  classes: Pick<Classes, 'get'> | undefined,
): Rights {
  const grants = compileGrants(held);
  const lists = new Map<string, { readonly verdict: 'all' | 'some' | 'none'; readonly filter: Filter }>();

  const classRule = (permission: Permission, itsClass: Class): string | undefined =>
    lineage(itsClass)
      .map((one) => grants.rule(permission, `c:::${one.code}`))
      .find((rule) => rule !== undefined);

  const objectRule = (permission: Permission, itsClass: Class, id: string): string | undefined =>
    classRule(permission, itsClass) ??
    lineage(itsClass)
      .map((one) => grants.rule(permission, `i:::${one.code}@${id}`))
      .find((rule) => rule !== undefined);

  const ruleFor = (permission: Permission, resource: string): string | undefined => {
    const direct = grants.rule(permission, resource);
    if (direct !== undefined) return direct;
    if (openUntilNamed.test(resource) && !named.has(resource)) return `no role names ${resource}: open to all`;
    if (resource.startsWith('c:::')) {
      const itsClass = classes?.get(resource.slice('c:::'.length));
      return itsClass && classRule(permission, itsClass);
    }
    const single = parseObjectResource(resource);
    if (!single) return undefined;
    const itsClass = classes?.get(single.code);
    return itsClass ? objectRule(permission, itsClass, single.id) : grants.rule(permission, `c:::${single.code}`);
  };

  const listOf = (permission: Permission, itsClass: Class) => {
    const key = `${permission} ${itsClass.code}`;
    let list = lists.get(key);
    if (!list) {
      if (classRule(permission, itsClass) !== undefined) list = { verdict: 'all', filter: all };
      else {
        const parts = [
          ...ofDescendants(itsClass, (one) => grants.rule(permission, `c:::${one.code}`) !== undefined),
          ...singles(itsClass, (one) => grants.objects(permission, one.code)),
        ];
        list =
          parts.length === 0
            ? { verdict: 'none', filter: none }
            : { verdict: 'some', filter: parts.length === 1 ? parts[0]! : { op: 'or', parts } };
      }
      lists.set(key, list);
    }
    return list;
  };

  return {
    may: (permission, resource) => ruleFor(permission, resource) !== undefined,
    mayClass: (permission, itsClass) => listOf(permission, itsClass).verdict,
    mayObject: (permission, itsClass, id) => objectRule(permission, itsClass, id) !== undefined,
    filter: (permission, itsClass) => listOf(permission, itsClass).filter,
    explain(permission, resource) {
      const rule = ruleFor(permission, resource);
      return { allowed: rule !== undefined, rule: rule ?? `no role gives ${permission} on ${resource}` };
    },
  };
}

/** The class, then its ancestors. */
function lineage(itsClass: Class): readonly Class[] {
  const line: Class[] = [];
  for (let one: Class | undefined = itsClass; one; one = one.ancestor) line.push(one);
  return line;
}

const below = (itsClass: Class): readonly Class[] => itsClass.descendants.flatMap((one) => [one, ...below(one)]);

function ofDescendants(itsClass: Class, granted: (one: Class) => boolean): readonly Filter[] {
  const values = [
    ...new Set(
      below(itsClass)
        .filter(granted)
        .flatMap((one) => one.family),
    ),
  ];
  return values.length === 0 ? [] : [{ op: 'in', path: '_class', values }];
}

/** Objects named one by one: of an ancestor any object counts, of a descendant only its own family. */
function singles(itsClass: Class, idsOf: (one: Class) => readonly string[]): readonly Filter[] {
  const above = [...new Set(lineage(itsClass).flatMap(idsOf))];
  return [
    ...(above.length === 0 ? [] : [{ op: 'in', path: '_id', values: above } as const]),
    ...below(itsClass).flatMap((one): Filter[] => {
      const ids = idsOf(one);
      if (ids.length === 0) return [];
      return [
        {
          op: 'and',
          parts: [
            { op: 'in', path: '_id', values: ids },
            { op: 'in', path: '_class', values: one.family },
          ],
        },
      ];
    }),
  ];
}
