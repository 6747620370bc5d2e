import type { Class, Classes, Property } from '#meta/class.ts';
import type { ObjectStore, Stored } from '#stores/object-store.ts';
import { and } from '#query/filter.ts';
import { classOf, type Graph, type Node } from './graph.ts';
import { expand, mostRounds, type ClassNeeds, type Want } from './want.ts';
import type { Sight } from './sight.ts';

export interface GraphDeps {
  readonly objects: Pick<ObjectStore, 'get' | 'find'>;
  readonly classes: Classes;
  readonly needs: (itsClass: Class) => ClassNeeds;
}

type Wanted = readonly [node: Node, want: Want];
interface Step {
  readonly node: Node;
  readonly property: Property;
  readonly target: Class;
  readonly want: Want;
}

const pageSize = 1000;

/** Loads what `want` asks for, level by level: a trip per collection and level, however many objects there are. */
export async function loadGraph(
  graph: Graph,
  nodes: readonly Node[],
  want: Want,
  sight: Sight,
  deps: GraphDeps,
): Promise<void> {
  let wanted: readonly Wanted[] = nodes.map((node) => [node, want]);
  for (let depth = 0; depth < mostRounds && wanted.length > 0; depth++) {
    const steps = wanted.flatMap(([node, one]) => stepsOf(node, expand(one, node.itsClass, depth, deps.needs), deps));
    if (steps.length === 0) return;
    await loadByIds(graph, steps, sight, deps);
    await loadBackReferences(graph, steps, sight, deps);
    wanted = steps.flatMap(({ node, property, want: next }): Wanted[] => {
      const reference = property.type.shape === 'list' ? graph.items(node, property) : graph.reference(node, property);
      return [reference ?? []].flat().map((found) => [found, next]);
    });
  }
}

const stepsOf = (node: Node, want: Want, { classes }: GraphDeps): readonly Step[] =>
  [...want.children].flatMap(([name, child]): Step[] => {
    const property = node.itsClass.properties.get(name);
    const target = property?.target === undefined ? undefined : classes.get(property.target);
    return property && target ? [{ node, property, target, want: child }] : [];
  });

async function loadByIds(graph: Graph, steps: readonly Step[], sight: Sight, deps: GraphDeps): Promise<void> {
  const missing = new Map<Class, Set<string>>();
  for (const { node, property, target } of steps) {
    if (property.backRef !== undefined) continue;
    const held = node.doc[property.name];
    for (const id of Array.isArray(held) ? held : [held]) {
      if (typeof id !== 'string' || graph.node(target.collection, id)) continue;
      missing.set(target, (missing.get(target) ?? new Set()).add(id));
    }
  }
  for (const [target, ids] of missing) {
    const found = await deps.objects.get(target.collection, [...ids]);
    await addAll(
      graph,
      found.filter((one) => one !== undefined),
      target,
      sight,
      deps,
    );
  }
}

/** Everything that refers back to one of the nodes, in the order of ids. */
async function loadBackReferences(graph: Graph, steps: readonly Step[], sight: Sight, deps: GraphDeps): Promise<void> {
  const groups = Map.groupBy(
    steps.filter(({ node, property }) => property.backRef !== undefined && !graph.items(node, property)),
    ({ property, target }) => `${target.code} ${property.backRef} ${property.name}`,
  );
  for (const group of groups.values()) {
    const { property, target } = group[0]!;
    const path = property.backRef!;
    const values = [...new Set(group.map(({ node }) => node.id))];
    const items = new Map<string, Node[]>(values.map((id) => [id, []]));
    const filter = and({ op: 'in', path, values }, familyFilter(target));
    for (let after: string | undefined; ;) {
      const page = await deps.objects.find(target.collection, {
        filter,
        count: pageSize,
        ...(after === undefined ? {} : { after }),
      });
      for (const node of await addAll(graph, page, target, sight, deps))
        items.get(node.doc[path] as string)?.push(node);
      if (page.length < pageSize) break;
      after = page.at(-1)!.id;
    }
    for (const { node } of group) graph.setItems(node, property.name, items.get(node.id) ?? []);
  }
}

/** Adds what is not there yet; an object is one node, however it was reached. */
export async function addAll(
  graph: Graph,
  found: readonly Stored[],
  within: Class,
  sight: Sight,
  { classes }: Pick<GraphDeps, 'classes'>,
): Promise<readonly Node[]> {
  const loaded = found.map((one) => ({ ...one, itsClass: classOf(one, within, classes) }));
  const readable = await sight.sees(loaded);
  return loaded.map((one, place) => {
    const known = graph.node(within.collection, one.id);
    if (known) return known;
    const node: Node = { ...one, readable: readable[place] ?? false };
    graph.add(node);
    return node;
  });
}

/** Objects of the class and its descendants, among all of its hierarchy. */
export const familyFilter = (itsClass: Class) =>
  itsClass.ancestor ? ({ op: 'in', path: '_class', values: itsClass.family } as const) : ({ op: 'all' } as const);
