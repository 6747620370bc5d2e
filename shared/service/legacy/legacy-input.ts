import type { Identity } from '#accounts/identity.ts';
import type { Values } from '#data/repository.ts';
import { LegacyItem } from './legacy-item.ts';

/** What old code gives as data, as values of the repository: items become their keys, dates and moments ISO text. */
export function toValues(data: unknown): Values {
  return typeof data === 'object' && data !== null ? (toValue({ ...data }) as Values) : {};
}

function toValue(value: unknown): unknown {
  if (value instanceof LegacyItem) return value.getItemId();
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return value.map(toValue);
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON() as unknown;
  const entries = Object.entries(value).filter(([, held]) => held !== undefined && typeof held !== 'function');
  return Object.fromEntries(entries.map(([name, held]) => [name, toValue(held)]));
}

/** The `user` of old options: a user object, an identity, or its id. */
export function toCaller(user: unknown): Identity | undefined {
  if (typeof user === 'string' && user !== '') return { id: user, name: user, properties: {} };
  if (typeof user !== 'object' || user === null || !('id' in user)) return undefined;
  const read = (name: string): unknown => {
    const held = Reflect.get(user, name) as unknown;
    return typeof held === 'function' ? held.call(user) : held;
  };
  const [id, name, properties] = [read('id'), read('name'), read('properties')];
  if (typeof id !== 'string') return undefined;
  return {
    id,
    name: typeof name === 'string' ? name : id,
    properties: typeof properties === 'object' && properties !== null ? { ...properties } : {},
  };
}

/** Paths of `forceEnrichment`: lists of names, or dotted texts. */
export const toEager = (paths: unknown): readonly (readonly string[])[] =>
  Array.isArray(paths)
    ? paths.map((path: unknown) => (Array.isArray(path) ? path.map(String) : String(path).split('.')))
    : [];
