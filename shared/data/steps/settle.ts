import { v7 } from 'uuid';
import type { Class } from '#meta/class.ts';
import { idOf, keyValues } from '#meta/key.ts';
import type { Stored, Value } from '#stores/object-store.ts';
import { addFault, type Draft } from '../draft.ts';
import { classOf } from '../graph.ts';
import type { WriterDeps } from '../writer-deps.ts';

/**
 * Finds the object each draft is about: under the key told, else under the key that its values name.
 * One trip per collection. Drafts that will be new keep `current` undefined.
 */
export async function settle(drafts: readonly Draft[], deps: WriterDeps): Promise<void> {
  const names = drafts.map((draft) => [draft, toldKey(draft), namedKey(draft)] as const);
  const found = await load(names, deps);
  for (const [draft, told, named] of names) {
    for (const id of [told, named]) {
      const stored = id === undefined || draft.current ? undefined : found(draft.asked, id);
      if (!stored) continue;
      draft.itsClass = classOf(stored, draft.asked, deps.classes);
      draft.current = { itsClass: draft.itsClass, doc: stored.doc, revision: stored.revision };
      draft.id = stored.id;
    }
    draft.id ??= named ?? told;
    if (!draft.current && draft.op === 'save' && draft.id !== undefined) takeKeyFromId(draft, draft.id);
    if (draft.asked.key.length === 0) draft.id ??= v7();
  }
}

const toldKey = ({ op, told }: Draft): string | undefined => (op === 'create' ? undefined : told);
const namedKey = ({ op, asked, values }: Draft): string | undefined =>
  op === 'edit' ? undefined : keyInValues(asked, values);

/** The key that the values name; undefined when a part is missing, or is no value of its type (which is told later). */
export function keyInValues(itsClass: Class, values: Draft['values']): string | undefined {
  const doc: Record<string, Value> = {};
  for (const name of itsClass.key) {
    const property = itsClass.properties.get(name);
    const value = ownValue(values, name);
    if (!property || !isGiven(value)) return undefined;
    const checked = property.type.toStored(value, property);
    if ('fault' in checked) return undefined;
    doc[name] = checked.value;
  }
  return idOf(itsClass, doc);
}

async function load(
  names: readonly (readonly [Draft, string | undefined, string | undefined])[],
  { objects }: WriterDeps,
) {
  const ids = new Map<string, Set<string>>();
  for (const [{ asked }, ...wanted] of names) {
    for (const id of wanted) {
      if (id === undefined) continue;
      const known = ids.get(asked.collection);
      if (known) known.add(id);
      else ids.set(asked.collection, new Set([id]));
    }
  }
  const found = new Map<string, Stored>();
  await Promise.all(
    Array.from(ids, async ([collection, wanted]) => {
      for (const one of await objects.get(collection, [...wanted])) if (one) found.set(`${collection} ${one.id}`, one);
    }),
  );
  return (itsClass: Class, id: string) => found.get(`${itsClass.collection} ${id}`);
}

/** Key attributes that were not sent follow from the key told. */
function takeKeyFromId(draft: Draft, id: string): void {
  const { asked, values, assigned } = draft;
  if (asked.key.every((name) => isGiven(ownValue(values, name)))) return;
  const parts = keyValues(asked, id);
  if ('fault' in parts) return addFault(draft, '_id', 'key', parts.fault);
  for (const [name, value] of Object.entries(parts.values)) {
    if (!isGiven(ownValue(values, name))) assigned.set(name, value);
  }
}

/** Whether there is a value at all; a key attribute sent empty counts as not sent. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

export const ownValue = (values: Draft['values'], name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;
