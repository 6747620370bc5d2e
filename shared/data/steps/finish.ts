import { isDeepStrictEqual } from 'node:util';
import type { Property } from '#meta/class.ts';
import { idOf } from '#meta/key.ts';
import { choiceFault, choicesFor } from '#query/choices.ts';
import type { Value } from '#stores/object-store.ts';
import { addFault, hasFault, type Batch, type Current, type Draft } from '../draft.ts';
import type { WriterDeps } from '../writer-deps.ts';

/** What holds for the object as a whole, once its values are taken: required ones, the key, selection lists, read-only, trackers. */
export function finish(draft: Draft, batch: Batch, deps: WriterDeps): void {
  const { itsClass, doc, current } = draft;
  const plan = deps.plans(itsClass);
  rename(draft, batch);
  if (!batch.rules.seeds) {
    for (const property of plan.required) {
      const { name } = property;
      const value = doc[name];
      if (value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)) continue;
      if (draft.files.has(name) || (current && !draft.touched.has(name))) continue;
      if (hasFault(draft, name)) continue;
      addFault(draft, name, 'required', 'must have a value');
    }
    for (const name of draft.touched) checkSelection(draft, itsClass.properties.get(name)!, deps);
    for (const property of plan.dependent) if (!draft.touched.has(property.name)) checkSelection(draft, property, deps);
    if (current) checkReadonly(draft, current);
  }
  if (draft.nested && current && draft.files.size === 0 && isDeepStrictEqual(doc, current.doc)) {
    draft.unchanged = true;
    return;
  }
  track(draft, batch);
}

/** Key attributes that came with other values give the object a new key. */
function rename(draft: Draft, batch: Batch): void {
  const { itsClass, doc, current } = draft;
  if (itsClass.key.length === 0) return;
  const key = idOf(itsClass, doc);
  if (key === undefined) {
    for (const name of itsClass.key) {
      if ((doc[name] ?? '') === '' && !hasFault(draft, name)) {
        addFault(draft, name, 'required', 'is part of the key and must have a value');
      }
    }
    return;
  }
  if (key === draft.id || batch.rules.seeds) return;
  if (current) draft.renamedFrom = draft.id;
  draft.id = key;
}

function checkSelection(draft: Draft, property: Property, deps: WriterDeps): void {
  const { itsClass, doc, id } = draft;
  const value = doc[property.name];
  if (!property.selection || value === null || value === undefined) return;
  if (value === '' && property.nullable) return;
  const held = [property.type.toJson(value, property)].flat();
  const { rows, captions } = property.selection;
  const isFixed = rows.every((row) => row.when === undefined);
  if (isFixed && held.every((one) => captions.has(String(one)))) return;
  const choices = choicesFor(property, itsClass, deps.classes, { id: id ?? '', doc });
  const fault = held.includes('') ? 'must not be empty' : choiceFault(held, choices);
  if (fault !== undefined) addFault(draft, property.name, 'choice', fault);
}

/** The same value again is no change, so that an answer can be sent back. */
function checkReadonly(draft: Draft, current: Current): void {
  const { itsClass, doc } = draft;
  for (const name of draft.touched) {
    const property = itsClass.properties.get(name);
    if (!property?.readonly || draft.unlocked.has(name)) continue;
    if (draft.op === 'save' && itsClass.key.includes(name)) continue; // found by the key told, it gets the one named
    const before: Value = current.doc[name] ?? null;
    if (!draft.files.has(name) && isDeepStrictEqual(doc[name] ?? null, before)) continue;
    addFault(draft, name, 'readonly', 'cannot be changed');
  }
}

function track(draft: Draft, { as, now, rules }: Batch): void {
  const { itsClass, doc, current, values } = draft;
  const { created, changed, creator, editor } = itsClass.trackers;
  const set = (name: string, value: Value) => {
    const isSeeded = rules.seeds && itsClass.properties.has(name) && Object.hasOwn(values, name);
    if (!isSeeded) doc[name] = value;
  };
  const who = as?.id ?? null;
  const told = (name: string): Value => {
    const value = rules.seeds ? values[name] : undefined;
    return typeof value === 'string' ? value : who;
  };
  if (!current) {
    if (created !== undefined) set(created, now.toISOString());
    set(creator ?? '_creator', told('_creator'));
  }
  if (changed !== undefined) set(changed, now.toISOString());
  set(editor ?? '_editor', told('_editor'));
}
