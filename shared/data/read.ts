import { AppError } from '#errors.ts';
import type { Class, Classes } from '#meta/class.ts';
import { parseEager } from '#query/attribute-lists.ts';
import { and, type Filter, type Sort } from '#query/filter.ts';
import { narrowReached, reachedBy } from '#query/narrow.ts';
import { parseFilter } from '#query/parse-filter.ts';
import { parseQueryFilter } from '#query/query-filter.ts';
import { keySort, parseSort } from '#query/sort.ts';
import type { ObjectStore, Stored } from '#stores/object-store.ts';
import { createGraph, classOf, type Graph, type Node } from './graph.ts';
import { createItem } from './item.ts';
import { addAll, familyFilter, loadGraph } from './load-graph.ts';
import type { Presenter } from './present.ts';
import type { Item, ListOptions } from './repository.ts';
import type { Sight } from './sight.ts';
import { eagerWant } from './want.ts';

export interface ReaderDeps {
  readonly objects: Pick<ObjectStore, 'get' | 'find' | 'count'>;
  readonly classes: Classes;
  readonly presenter: Presenter;
}

export interface Reader {
  find(
    itsClass: Class,
    options: ListOptions,
    sight: Sight,
  ): Promise<{ readonly items: readonly Item[]; readonly total?: number }>;
  count(itsClass: Class, filter: unknown, sight: Sight): Promise<number>;
  get(itsClass: Class, id: string, eager: ListOptions['eager'], sight: Sight): Promise<Item | undefined>;
  /** Items of what was just written, with what their titles, formulas and `eager` need; without `eager` with nothing loaded. */
  items(nodes: readonly Node[], eager: ListOptions['eager'], sight: Sight): Promise<readonly Item[]>;
}

const pageSize = 1000;
const alone = eagerWant([]);

export function createReader({ objects, classes, presenter }: ReaderDeps): Reader {
  const graphDeps = { objects, classes, needs: presenter.needs };

  /** All that holds for a list: what is asked for, the class's own objects, what the caller may see; undefined: nothing matches. */
  const conditionOf = async (itsClass: Class, options: ListOptions, sight: Sight): Promise<Filter | undefined> => {
    if (sight.mayClass('read', itsClass) === 'none') throw new AppError('forbidden', `no read on ${itsClass.code}`);
    const query = options.query ? parseQueryFilter(options.query, itsClass, classes) : undefined;
    const asked = await narrow(parseFilter(options.filter, itsClass, classes), sight);
    if (query === 'nothing') return undefined;
    const byQuery = query ? await narrow(query, sight) : undefined;
    return and(familyFilter(itsClass), await sight.filter('read', itsClass), asked, ...(byQuery ? [byQuery] : []));
  };

  /** Objects that the caller may not read do not decide over others either. */
  const narrow = async (filter: Filter, sight: Sight): Promise<Filter> => {
    if (sight.trusted) return filter;
    const conditions = new Map<string, Filter>();
    for (const code of reachedBy(filter)) {
      const target = classes.get(code);
      if (target && !conditions.has(code)) conditions.set(code, await sight.filter('read', target));
    }
    return narrowReached(filter, (code) => conditions.get(code) ?? { op: 'or', parts: [] });
  };

  const load = async (itsClass: Class, filter: Filter, sort: Sort, offset: number, count: number) => {
    const found: Stored[] = [];
    const byId = sort.length === 1 && sort[0]!.path === '_id' && !sort[0]!.descending;
    for (let after: string | undefined; found.length < count; after = found.at(-1)?.id) {
      const size = Math.min(pageSize, count - found.length);
      const from = byId && after !== undefined ? { after } : { offset: offset + found.length };
      const page = await objects.find(itsClass.collection, { filter, count: size, ...(byId ? {} : { sort }), ...from });
      found.push(...page);
      if (page.length < size) break;
    }
    return found;
  };

  const itemsIn = async (graph: Graph, nodes: readonly Node[], eager: ListOptions['eager'], sight: Sight) => {
    const want = eager && eager.length > 0 ? eagerWant(eager) : alone;
    await loadGraph(graph, nodes, want, sight, graphDeps);
    return nodes.map((node) => createItem(node, want, graph, presenter));
  };

  return {
    async find(itsClass, options, sight) {
      const { offset = 0, count = Infinity } = options;
      const eager = options.eager && parseEager(options.eager, itsClass, classes);
      const asked = parseSort(options.sort, itsClass);
      const filter = await conditionOf(itsClass, options, sight);
      if (!filter) return { items: [], ...(options.total ? { total: 0 } : {}) };
      const sort = asked.length > 0 ? asked : keySort(itsClass);
      const [stored, total] = await Promise.all([
        load(itsClass, filter, sort, offset, count),
        options.total ? objects.count(itsClass.collection, filter) : undefined,
      ]);
      const graph = createGraph(classes);
      // the condition has chosen what the caller may see
      const nodes = stored.map((one): Node => ({ ...one, itsClass: classOf(one, itsClass, classes), readable: true }));
      for (const node of nodes) graph.add(node);
      const items = await itemsIn(graph, nodes, eager, sight);
      return { items, ...(total === undefined ? {} : { total }) };
    },
    async count(itsClass, raw, sight) {
      const filter = await conditionOf(itsClass, { filter: raw }, sight);
      return filter ? objects.count(itsClass.collection, filter) : 0;
    },
    async get(itsClass, id, eager, sight) {
      const paths = eager && parseEager(eager, itsClass, classes);
      const [stored] = await objects.get(itsClass.collection, [id]);
      const graph = createGraph(classes);
      const [node] = stored ? await addAll(graph, [stored], itsClass, sight, { classes }) : [];
      const isOne = node !== undefined && itsClass.family.includes(node.itsClass.code);
      const allowed = isOne ? node.readable : sight.mayObject('read', itsClass, id);
      if (!allowed) throw new AppError('forbidden', `no read on ${itsClass.code} ${id}`);
      if (!isOne) return undefined;
      return (await itemsIn(graph, [node], paths, sight))[0];
    },
    async items(nodes, eager, sight) {
      const graph = createGraph(classes);
      for (const node of nodes) graph.add(node);
      if (eager) return itemsIn(graph, nodes, eager, sight);
      return nodes.map((node) => createItem(node, alone, graph, presenter));
    },
  };
}
