import { addFault, type Batch, type Draft } from '../draft.ts';
import type { WriterDeps } from '../writer-deps.ts';

/**
 * Whether the objects exist that others refer to by id. Those of the same batch count, unless each is stored for itself and
 * they fail; then what refers to them fails too. A trip per collection, for ids not asked for yet.
 */
export async function checkReferences(batch: Batch, deps: WriterDeps): Promise<void> {
  if (batch.rules.seeds) return; // they may come in any order: importSeeds looks at the end
  const known = new Map<string, boolean>();
  while (await findMissing(batch, known, deps)); // each round may fail objects that others refer to
}

/** True when an object failed on which others of the batch may count. */
async function findMissing(
  { drafts, isAtomic }: Batch,
  known: Map<string, boolean>,
  deps: WriterDeps,
): Promise<boolean> {
  const failed = new Set(isAtomic ? [] : drafts.filter(isFailed).map((draft) => draft.input));
  const here = new Set(
    drafts.filter((draft) => !failed.has(draft.input)).map((one) => keyIn(one.asked.collection, one.id)),
  );
  await ask(drafts, here, known, deps);
  let hasNew = false;
  for (const draft of drafts) {
    if (failed.has(draft.input)) continue;
    for (const { name, target, ids } of draft.references) {
      const gone = ids.find((id) => {
        const key = keyIn(target.collection, id);
        return !here.has(key) && known.get(key) === false;
      });
      if (gone === undefined) continue;
      addFault(draft, name, 'reference', `there is no ${target.code} with the key ${gone}`);
      hasNew = true;
    }
  }
  return hasNew && !isAtomic;
}

async function ask(
  drafts: readonly Draft[],
  here: ReadonlySet<string>,
  known: Map<string, boolean>,
  { objects }: WriterDeps,
) {
  const wanted = new Map<string, Set<string>>();
  for (const { references } of drafts) {
    for (const { target, ids } of references) {
      for (const id of ids) {
        const key = keyIn(target.collection, id);
        if (here.has(key) || known.has(key)) continue;
        const list = wanted.get(target.collection);
        if (list) list.add(id);
        else wanted.set(target.collection, new Set([id]));
      }
    }
  }
  for (const [collection, ids] of wanted) {
    const list = [...ids];
    const found = await objects.get(collection, list);
    for (const [place, id] of list.entries()) known.set(keyIn(collection, id), found[place] !== undefined);
  }
}

const keyIn = (collection: string, id: string | undefined): string => `${collection} ${id}`;

const isFailed = (draft: Draft): boolean => draft.faults.length > 0 || draft.refused !== undefined;
