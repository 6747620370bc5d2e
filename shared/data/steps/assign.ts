import { assignedTo, defaultFor } from '#meta/default-value.ts';
import type { Loaded, Lookup } from '#meta/class.ts';
import { idOf } from '#meta/key.ts';
import { createScope } from '#meta/scope.ts';
import type { Value } from '#stores/object-store.ts';
import { addFault, type Batch, type Draft } from '../draft.ts';
import { counterOf } from '../plan.ts';
import { reserveSequences } from '../sequences.ts';
import type { WriterDeps } from '../writer-deps.ts';
import { isGiven, ownValue } from './settle.ts';

/** Gives new objects what they have without asking, and so their keys: counters (a trip each), types and defaults. */
export async function assign(drafts: readonly Draft[], batch: Batch, deps: WriterDeps): Promise<void> {
  const fresh = drafts.filter((draft) => !draft.current && draft.op !== 'edit');
  if (fresh.length === 0) return;
  await reserveNumbers(fresh, deps);
  const formulas = fresh.flatMap((draft) =>
    deps.plans(draft.asked).defaults.flatMap((one) => (isSent(draft, one.name) ? [] : (one.defaultFormula ?? []))),
  );
  const next = await reserveSequences(formulas, deps.objects);
  for (const draft of fresh) assignOne(draft, batch, deps, next);
}

function assignOne(draft: Draft, { now, as, rules }: Batch, { plans }: WriterDeps, next: Next): void {
  const { asked, assigned, values } = draft;
  const plan = plans(asked);
  if (!rules.seeds) {
    for (const property of plan.defaults) {
      if (assigned.has(property.name) || isSent(draft, property.name)) continue;
      const source = { now, identity: as?.id ?? null, properties: as?.properties ?? {} };
      const scope = property.defaultFormula && createScope(asLoaded(draft), alone, { now, next });
      const made = defaultFor(property, scope ? { ...source, scope } : source);
      if (!made) continue;
      if ('value' in made) assigned.set(property.name, made.value);
      else addFault(draft, property.name, 'default', `the default of the class does not fit: ${made.fault}`);
    }
  }
  for (const property of plan.assigned) {
    if (assigned.has(property.name) || isGiven(ownValue(values, property.name))) continue;
    const value = assignedTo(property, now);
    if (value !== undefined) assigned.set(property.name, value);
  }
  draft.id ??= idOf(asked, ownDoc(draft, asked.key));
}

/** Whether the sender set the attribute, be it to nothing: then a default does not count. Keys cannot be nothing. */
const isSent = ({ values, asked }: Draft, name: string): boolean =>
  asked.key.includes(name) ? isGiven(ownValue(values, name)) : Object.hasOwn(values, name);

/** The attributes sent that are sound, as stored, and those assigned so far. */
function ownDoc({ asked, values, assigned }: Draft, names: Iterable<string>): Record<string, Value> {
  const doc: Record<string, Value> = {};
  for (const name of names) {
    const property = asked.properties.get(name);
    const given = ownValue(values, name);
    if (!property || !isGiven(given)) continue;
    const checked = property.type.toStored(given, property);
    if ('value' in checked) doc[name] = checked.value;
  }
  return { ...doc, ...Object.fromEntries(assigned) };
}

const asLoaded = (draft: Draft): Loaded => ({
  id: draft.id ?? '',
  itsClass: draft.asked,
  doc: ownDoc(draft, draft.asked.properties.keys()),
});

/** Defaults see the object alone. */
const alone: Lookup = { object: () => undefined, items: () => [] };

async function reserveNumbers(fresh: readonly Draft[], { objects, plans }: WriterDeps): Promise<void> {
  const waiting = new Map<string, { readonly draft: Draft; readonly name: string }[]>();
  for (const draft of fresh) {
    for (const property of plans(draft.asked).counted) {
      if (isGiven(ownValue(draft.values, property.name)) || draft.assigned.has(property.name)) continue;
      push(waiting, counterOf(draft.asked, property), { draft, name: property.name });
    }
  }
  for (const [counter, list] of waiting) {
    const first = await objects.reserve(counter, list.length);
    for (const [place, { draft, name }] of list.entries()) {
      const property = draft.asked.properties.get(name)!;
      const number = property.type.toStored(first + place, property);
      if ('value' in number) draft.assigned.set(name, number.value);
    }
  }
}

type Next = (sequence: string) => number | null;

function push<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}
