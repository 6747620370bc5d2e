import { and, isScalar, type Filter } from '#query/filter.ts';
import type { Value } from '#stores/object-store.ts';
import { attributesOf, uniqueSets } from '../collections.ts';
import { addFault, hasFault, type Draft } from '../draft.ts';
import type { WriterDeps } from '../writer-deps.ts';

const message = 'must be unique, and another object has it';

/** Told by the store's index: the attributes that clash. */
export function addClash(draft: Draft, index: string): void {
  const names = attributesOf(index);
  for (const name of names.length > 0 ? names : [undefined]) {
    if (name === undefined || !hasFault(draft, name)) addFault(draft, name, 'unique', message);
  }
}

/**
 * Names every unique attribute that another object, stored or in the batch, has already. The store's indexes hold in any
 * case; this is asked only where faults are told anyhow, or before files are stored, so that all are told together.
 */
export async function findClashes(drafts: readonly Draft[], { objects }: WriterDeps): Promise<void> {
  const taken = new Map<string, Draft>();
  for (const draft of drafts) {
    if (draft.unchanged || draft.refused) continue;
    for (const names of uniqueSets(draft.itsClass)) {
      const values = names.map((name) => draft.doc[name] ?? null);
      if (!values.every(isScalar) || names.some((name) => hasFault(draft, name))) continue;
      if (names.every((name) => sameAs(draft.current?.doc[name], draft.doc[name]))) continue;
      const key = JSON.stringify([draft.itsClass.collection, names, values]);
      const other = taken.get(key);
      const own = [draft.id, draft.renamedFrom].filter((id) => id !== undefined);
      const stored = await objects.find(draft.itsClass.collection, {
        filter: othersWith(names, values, own),
        count: 1,
      });
      if (stored.length > 0 || (other && other.id !== draft.id))
        for (const name of names) addFault(draft, name, 'unique', message);
      taken.set(key, draft);
    }
  }
}

const othersWith = (names: readonly string[], values: readonly Value[], own: readonly string[]): Filter =>
  and(...names.map((path, place): Filter => ({ op: 'eq', path, value: values[place] as string })), {
    op: 'not',
    part: { op: 'in', path: '_id', values: own },
  });

const sameAs = (before: Value | undefined, now: Value | undefined): boolean => before !== undefined && before === now;
