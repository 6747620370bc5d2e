import type { Lookup } from './ini.ts';
import { isTree } from './merge.ts';

const placeholder = /\[\[([\w.-]+)\]\]/g;
const whole = /^\[\[([\w.-]+)\]\]$/;
const number = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/;

/** `true`, `false` and numbers as what they say; any other text (also `007`, and digits past what a number can hold) as it is. */
export function typed(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return number.test(text) ? Number(text) : text;
}

const typedDeep = (value: unknown): unknown => {
  if (typeof value === 'string') return typed(value);
  return Array.isArray(value) ? value.map(typedDeep) : value;
};

/** `[[a.b]]` in the environment as `a.b`, then `A_B`, then in the ini files. */
export const lookupIn =
  (env: Readonly<Record<string, string | undefined>>, ini: Lookup): Lookup =>
  (name) =>
    env[name] ?? env[name.replace(/[.-]/g, '_').toUpperCase()] ?? ini(name);

/** The tree with its placeholders replaced, and the names of those that stand nowhere. */
export function replacePlaceholders(tree: unknown, lookup: Lookup): { tree: unknown; unresolved: readonly string[] } {
  const unresolved = new Set<string>();
  const find = (name: string): unknown => {
    const value = lookup(name);
    if (value === undefined) unresolved.add(name);
    return value;
  };
  const inText = (text: string): unknown => {
    const name = whole.exec(text)?.[1];
    if (name !== undefined) return typedDeep(find(name));
    return text.replace(placeholder, (_, inner: string) => {
      const value = find(inner);
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
    });
  };
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map(replace).filter((one) => one !== undefined);
    if (!isTree(value)) return value;
    const entries = Object.entries(value).map(([name, held]) => [name, replace(held)] as const);
    return Object.fromEntries(entries.filter(([, held]) => held !== undefined));
  };
  return { tree: replace(tree), unresolved: [...unresolved].sort() };
}
