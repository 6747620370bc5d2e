import type { Class, Classes, Loaded, Lookup, Property } from '#meta/class.ts';
import type { Stored } from '#stores/object-store.ts';

/** An object in memory. `readable`: whether the caller may see it; trusted formulas see it all the same. */
export interface Node extends Loaded {
  readonly revision: number;
  readonly readable: boolean;
}

/** The objects one answer is made of, each once, and how they hang together. */
export interface Graph {
  add(node: Node): void;
  node(collection: string, id: string): Node | undefined;
  /** Items of a collection with `backRef`, once loaded. */
  setItems(of: Node, property: string, items: readonly Node[]): void;
  /** Undefined: not loaded. Objects that are gone are left out. */
  items(of: Node, property: Property): readonly Node[] | undefined;
  reference(of: Node, property: Property): Node | undefined;
  /** For titles: what the caller may see. For formulas: all that was loaded. */
  lookup(sees: 'readable' | 'all'): Lookup;
}

export function createGraph(classes: Pick<Classes, 'get'>): Graph {
  const nodes = new Map<string, Map<string, Node>>();
  const back = new Map<Node, Map<string, readonly Node[]>>();
  const targetOf = (property: Property): Class | undefined =>
    property.target === undefined ? undefined : classes.get(property.target);

  const graph: Graph = {
    add(node) {
      const { collection } = node.itsClass;
      const known = nodes.get(collection) ?? new Map<string, Node>();
      if (known.size === 0) nodes.set(collection, known);
      known.set(node.id, node);
    },
    node: (collection, id) => nodes.get(collection)?.get(id),
    setItems(of, property, items) {
      back.set(of, (back.get(of) ?? new Map<string, readonly Node[]>()).set(property, items));
    },
    items(of, property) {
      if (property.backRef !== undefined) return back.get(of)?.get(property.name);
      const ids = of.doc[property.name];
      const target = targetOf(property);
      if (!target || !Array.isArray(ids)) return [];
      return ids.flatMap((id) => nodes.get(target.collection)?.get(String(id)) ?? []);
    },
    reference(of, property) {
      const id = of.doc[property.name];
      const target = targetOf(property);
      return target && typeof id === 'string' ? nodes.get(target.collection)?.get(id) : undefined;
    },
    lookup(sees) {
      const visible = (node: Node | undefined) => (node && (sees === 'all' || node.readable) ? node : undefined);
      return {
        object(code, id) {
          const target = classes.get(code);
          return target && visible(graph.node(target.collection, id));
        },
        items: (of, property) => (graph.items(of as Node, property) ?? []).filter(visible),
      };
    },
  };
  return graph;
}

/** The object's own class; one that is no longer known counts as the root of its hierarchy. */
export function classOf(stored: Pick<Stored, 'doc'>, within: Class, classes: Pick<Classes, 'get'>): Class {
  const code = stored.doc['_class'];
  const own = typeof code === 'string' ? classes.get(code) : undefined;
  return own?.collection === within.collection ? own : rootOf(within);
}

export function rootOf(itsClass: Class): Class {
  let root = itsClass;
  while (root.ancestor) root = root.ancestor;
  return root;
}
