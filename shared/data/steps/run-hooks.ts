import type { Batch } from '../draft.ts';
import type { WriterDeps } from '../writer-deps.ts';

/** Merges what hooks have to add into the values; read-only does not hold that back. */
export async function runHooks(batch: Batch, { hooks }: WriterDeps): Promise<void> {
  if (!hooks.before || batch.rules.seeds || batch.dryRun) return;
  const drafts = batch.drafts.filter((draft) => !(draft.op === 'edit' && !draft.current));
  const upcoming = drafts.map(({ current, itsClass, id, values }) => ({
    event: current ? ('edit' as const) : ('create' as const),
    className: itsClass.code,
    id,
    object: current && { id: id ?? '', itsClass: current.itsClass, doc: current.doc },
    values,
  }));
  const added = await hooks.before(upcoming, batch.as);
  for (const [place, draft] of drafts.entries()) {
    const more = added[place];
    if (!more) continue;
    draft.values = { ...draft.values, ...more };
    draft.unlocked = new Set([...draft.unlocked, ...Object.keys(more)]);
  }
}
