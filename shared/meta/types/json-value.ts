import type { Value } from '#stores/object-store.ts';
import { checkText } from './text-value.ts';

const deepest = 20;

/** A copy that holds JSON only, or undefined: names that a database or a prototype could take for its own are refused. */
export function toJsonValue(input: unknown, depth = 0): Value | undefined {
  if (input === null || typeof input === 'boolean') return input;
  if (typeof input === 'number') return Number.isFinite(input) ? input : undefined;
  if (typeof input === 'string') return 'fault' in checkText(input) ? undefined : input;
  if (typeof input !== 'object' || depth >= deepest) return undefined;
  if (Array.isArray(input)) {
    const list = input.map((one) => toJsonValue(one, depth + 1));
    return list.every((one) => one !== undefined) ? list : undefined;
  }
  const entries = Object.entries(input).map(([name, one]) => [name, toJsonValue(one, depth + 1)] as const);
  if (!entries.every(([name, one]) => one !== undefined && isName(name))) return undefined;
  return Object.fromEntries(entries) as Value;
}

const isName = (name: string): boolean => name !== '' && !/^\$|[.\0]/.test(name) && !(name in Object.prototype);
