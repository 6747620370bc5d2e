import { addFault, type Batch } from '../draft.ts';
import type { WriterDeps } from '../writer-deps.ts';

/** Whether the objects exist that others refer to by id; those of the same batch count. A trip per collection. */
export async function checkReferences({ drafts, rules }: Batch, { objects }: WriterDeps): Promise<void> {
  if (rules.seeds) return; // they may come in any order: importSeeds looks at the end
  const here = new Set(drafts.map((draft) => `${draft.asked.collection} ${draft.id}`));
  const wanted = new Map<string, Set<string>>();
  for (const draft of drafts) {
    for (const { target, ids } of draft.references) {
      for (const id of ids) {
        if (here.has(`${target.collection} ${id}`)) continue;
        const known = wanted.get(target.collection);
        if (known) known.add(id);
        else wanted.set(target.collection, new Set([id]));
      }
    }
  }
  if (wanted.size === 0) return;
  const missing = new Set<string>();
  for (const [collection, ids] of wanted) {
    const list = [...ids];
    const found = await objects.get(collection, list);
    for (const [place, id] of list.entries()) if (!found[place]) missing.add(`${collection} ${id}`);
  }
  if (missing.size === 0) return;
  for (const draft of drafts) {
    for (const { name, target, ids } of draft.references) {
      const gone = ids.filter((id) => missing.has(`${target.collection} ${id}`));
      if (gone.length === 0) continue;
      addFault(draft, name, 'reference', `there is no ${target.code} with the key ${gone[0]}`);
    }
  }
}
