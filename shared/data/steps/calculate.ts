import { calculate, createScope } from '#meta/scope.ts';
import type { Batch } from '../draft.ts';
import { createGraph, type Node } from '../graph.ts';
import { loadGraph } from '../load-graph.ts';
import { reserveSequences } from '../sequences.ts';
import { trustedSight } from '../sight.ts';
import { formulaWant } from '../want.ts';
import type { WriterDeps } from '../writer-deps.ts';

/** Refreshes calculated attributes that are kept; they see this batch's objects as they will be. */
export async function refreshCached({ drafts, now }: Batch, deps: WriterDeps): Promise<void> {
  const changed = drafts.filter((draft) => !draft.unchanged && draft.faults.length === 0 && !draft.refused);
  const withFormulas = changed.filter((draft) => deps.plans(draft.itsClass).cached.length > 0);
  if (withFormulas.length === 0) return;
  const graph = createGraph(deps.classes);
  const nodes = new Map(
    changed.map((draft): [typeof draft, Node] => {
      const node: Node = { id: draft.id!, itsClass: draft.itsClass, doc: draft.doc, revision: 0, readable: true };
      graph.add(node);
      return [draft, node];
    }),
  );
  for (const draft of withFormulas) {
    const { cached } = deps.plans(draft.itsClass);
    const want = formulaWant(cached.flatMap((property) => property.formula!.paths));
    if (want.children.size > 0) await loadGraph(graph, [nodes.get(draft)!], want, trustedSight, deps);
  }
  const formulas = withFormulas.flatMap((draft) => deps.plans(draft.itsClass).cached.map((one) => one.formula!));
  const next = await reserveSequences(formulas, deps.objects);
  for (const draft of withFormulas) {
    const scope = createScope(nodes.get(draft)!, graph.lookup('all'), { now, next });
    for (const property of deps.plans(draft.itsClass).cached) draft.doc[property.name] = calculate(property, scope);
  }
}
