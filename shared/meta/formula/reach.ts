import type { Scope } from '../class.ts';
import type { Node } from './node.ts';

/** The items of the collection that an argument names; undefined: it names none. */
export const itemsOf = (node: Node, scope: Scope): readonly Scope[] | undefined =>
  node.kind === 'path' ? scope.items(node.path) : undefined;

/** `coll.attr` apart: the items of the collection, and the path within each; undefined: it passes no collection. */
export function throughItems(node: Node, scope: Scope): { items: readonly Scope[]; rest: string } | undefined {
  if (node.kind !== 'path') return undefined;
  const steps = node.path.split('.');
  for (let length = 1; length <= steps.length; length += 1) {
    const items = scope.items(steps.slice(0, length).join('.'));
    if (items) return { items, rest: steps.slice(length).join('.') };
  }
  return undefined;
}
