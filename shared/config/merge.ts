export type Tree = { readonly [name: string]: unknown };

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Both, key by key; where both have a value that is no object, `over` wins. Lists are appended or replaced. Neither input is changed. */
export function merge(base: unknown, over: unknown, lists: 'append' | 'replace'): unknown {
  if (Array.isArray(base) && Array.isArray(over) && lists === 'append') return [...(base as unknown[]), ...over];
  if (!isTree(base) || !isTree(over)) return over;
  const names = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries(
    Array.from(names, (name) => {
      if (!Object.hasOwn(over, name)) return [name, base[name]];
      return [name, Object.hasOwn(base, name) ? merge(base[name], over[name], lists) : over[name]];
    }),
  );
}

/** The value at a path of own keys, undefined where there is none. */
export const valueAt = (tree: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return at[Number(name)] as unknown;
    return isTree(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, tree);

export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const held of Object.values(value)) freezeDeep(held);
  return Object.freeze(value);
}
