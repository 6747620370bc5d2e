import { AppError } from '#errors.ts';
import type { Write, Written } from '#stores/object-store.ts';
import { addFault, type Draft } from '../draft.ts';
import { counterOf } from '../plan.ts';
import type { WriterDeps } from '../writer-deps.ts';
import { addClash } from './find-clashes.ts';
import { isGiven, ownValue } from './settle.ts';

/** Stores the drafts: all or none, or each input for itself. Gives the inputs that lost a race and may be tried again. */
export async function store(
  drafts: readonly Draft[],
  mode: 'atomic' | 'partial',
  deps: WriterDeps,
): Promise<Set<number>> {
  const again = new Set<number>();
  for (const group of mode === 'atomic' ? [drafts] : groups(drafts)) {
    const writes = group.flatMap((draft) => writesOf(draft).map((write) => [draft, write] as const));
    if (writes.length === 0) continue;
    const isOne = mode === 'atomic' || new Set(group.map((draft) => draft.input)).size === 1;
    const written = await deps.objects.write(
      writes.map(([, write]) => write),
      { atomic: isOne },
    );
    for (const [place, [draft, write]] of writes.entries()) {
      if (judge(draft, write, written[place]!) === 'again') again.add(draft.input);
    }
  }
  await raiseCounters(drafts, deps);
  return again;
}

/** Runs of inputs with one write each go together; an input of several objects is stored as a whole. */
function groups(drafts: readonly Draft[]): readonly (readonly Draft[])[] {
  const byInput = [...Map.groupBy(drafts, (draft) => draft.input).values()];
  const made: Draft[][] = [];
  let singles: Draft[] | undefined;
  for (const group of byInput) {
    if (group.length > 1 || group[0]!.renamedFrom !== undefined) {
      made.push(group);
      singles = undefined;
    } else if (singles) singles.push(...group);
    else made.push((singles = [...group]));
  }
  return made;
}

function writesOf({ itsClass: { collection }, id, doc, current, renamedFrom, unchanged }: Draft): readonly Write[] {
  if (unchanged || id === undefined) return [];
  if (!current) return [{ op: 'insert', collection, id, doc }];
  const expect = current.revision;
  if (renamedFrom === undefined) return [{ op: 'update', collection, id, doc, expect }];
  return [
    { op: 'insert', collection, id, doc },
    { op: 'delete', collection, id: renamedFrom, expect },
  ];
}

function judge(draft: Draft, write: Write, written: Written): 'done' | 'again' {
  if (!('clash' in written)) {
    if (write.op !== 'delete') draft.revision = written.revision;
    return 'done';
  }
  if (written.clash === 'unique') {
    addClash(draft, written.index);
    return 'done';
  }
  const { expect, op, itsClass, values, renamedFrom } = draft;
  if (written.clash === 'exists') {
    const keyWasMade = itsClass.key.some((name) => !isGiven(ownValue(values, name))) && draft.told === undefined;
    if ((op === 'save' && renamedFrom === undefined) || keyWasMade) return 'again';
    for (const name of itsClass.key) addFault(draft, name, 'exists', 'is the key of an object that exists');
    return 'done';
  }
  if (expect === undefined) return 'again';
  draft.refused = new AppError('stale', `${itsClass.code} ${draft.id}`);
  return 'done';
}

/** Numbers that were given, where a counter would have given one, are not given again. */
async function raiseCounters(drafts: readonly Draft[], { objects, plans }: WriterDeps): Promise<void> {
  const highest = new Map<string, number>();
  for (const draft of drafts) {
    if (draft.current || draft.faults.length > 0) continue;
    for (const property of plans(draft.itsClass).counted) {
      const { name, type } = property;
      const stored = draft.doc[name];
      if (stored === undefined || stored === null || (draft.assigned.get(name) === stored && draft.told === undefined))
        continue;
      const number = Math.floor(Number(type.toJson(stored, property)));
      const counter = counterOf(draft.itsClass, property);
      if (Number.isSafeInteger(number) && number > 0) highest.set(counter, Math.max(highest.get(counter) ?? 0, number));
    }
  }
  for (const [counter, floor] of highest) await objects.raise(counter, floor);
}
