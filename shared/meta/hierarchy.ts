import { codeOf, type ClassDefinition, type Finding, type Source } from './definition.ts';

/** A class as read: its definition, where it stands, and its ancestor's code. */
export interface Declared {
  readonly code: string;
  readonly name: string;
  readonly namespace: string;
  readonly file: string;
  readonly definition: ClassDefinition;
  readonly ancestor: string | undefined;
}

export function declare(definition: ClassDefinition, file: Source['file'], namespace: string): Declared {
  const code = codeOf(definition.name, definition.namespace || namespace);
  const at = code.lastIndexOf('@');
  const own = code.slice(at + 1);
  const ancestor = definition.ancestor ? codeOf(definition.ancestor, own) : undefined;
  return { code, name: code.slice(0, at), namespace: own, file, definition, ancestor };
}

/**
 * Classes in an order where an ancestor comes before its descendants. What has an unknown ancestor, or is its own
 * ancestor, is left out and found.
 */
export function inOrder(declared: ReadonlyMap<string, Declared>): {
  readonly ordered: readonly Declared[];
  readonly faults: readonly Finding[];
} {
  const faults: Finding[] = [];
  const chains = new Map<string, number>();
  for (const one of declared.values()) {
    const chain = chainOf(one, declared);
    if ('fault' in chain) faults.push({ file: one.file, path: 'ancestor', message: chain.fault });
    else chains.set(one.code, chain.length);
  }
  const ordered = [...declared.values()].filter((one) => chains.has(one.code));
  ordered.sort((a, b) => chains.get(a.code)! - chains.get(b.code)!);
  return { ordered, faults };
}

function chainOf(start: Declared, declared: ReadonlyMap<string, Declared>): { length: number } | { fault: string } {
  const seen = new Set([start.code]);
  let one = start;
  while (one.ancestor !== undefined) {
    if (seen.has(one.ancestor))
      return { fault: `${start.code} is its own ancestor (${[...seen, one.ancestor].join(' → ')})` };
    const next = declared.get(one.ancestor);
    if (next === undefined) return { fault: `there is no class ${one.ancestor}` };
    seen.add(next.code);
    one = next;
  }
  return { length: seen.size };
}

/** The class and its ancestors, the root first. */
export function lineOf(one: Declared, declared: ReadonlyMap<string, Declared>): readonly Declared[] {
  const line = [one];
  while (line[0]!.ancestor !== undefined) line.unshift(declared.get(line[0]!.ancestor)!);
  return line;
}

const list = (raw: string | readonly string[] | null | undefined): readonly string[] =>
  (typeof raw === 'string' ? [raw] : (raw ?? [])).filter((name) => name !== '');

/** The nearest non-empty key in the line. */
export const keyIn = (line: readonly Declared[]): readonly string[] =>
  line.map(({ definition }) => list(definition.key)).findLast((key) => key.length > 0) ?? [];
