import { AppError } from '#errors.ts';
import type { Property } from '#meta/class.ts';
import { limitFault } from '#meta/limits.ts';
import { addFault, type Batch, type Current, type Draft } from '../draft.ts';
import { isFileType } from '../present.ts';
import type { WriterDeps } from '../writer-deps.ts';
import { finish } from './finish.ts';
import { takeFiles } from './take-files.ts';
import { takeLinks } from './take-links.ts';
import { isSystemName } from './names.ts';

/** Makes the object that each draft leaves behind, in the order of the batch: a later draft of an object goes on from an earlier one. */
export function fill(batch: Batch, deps: WriterDeps): void {
  const left = new Map<string, Current>();
  for (const draft of batch.drafts) {
    const key = `${draft.asked.collection} ${draft.id}`;
    draft.current = left.get(key) ?? draft.current;
    if (!begin(draft)) continue;
    takeValues(draft, batch, deps);
    finish(draft, batch, deps);
    if (draft.faults.length > 0 || draft.id === undefined) continue;
    const before = draft.renamedFrom === undefined ? (draft.current?.revision ?? 0) : 0;
    draft.revision = before + (draft.unchanged ? 0 : 1);
    const { itsClass, doc, revision } = draft;
    left.set(`${draft.asked.collection} ${draft.id}`, { itsClass, doc, revision });
  }
}

/** False: there is nothing to fill. */
function begin(draft: Draft): boolean {
  const { current, op, asked } = draft;
  if (draft.refused) return false;
  if (op === 'edit' && !current) {
    if (draft.nested) addFault(draft, undefined, 'reference', 'there is no such object');
    else draft.refused = new AppError('not_found', `${asked.code} ${draft.told}`);
    return false;
  }
  if (current && !asked.family.includes(current.itsClass.code)) {
    if (op === 'edit') draft.refused = new AppError('not_found', `${draft.told} is no ${asked.code}`);
    else addFault(draft, asked.key[0], 'exists', 'is the key of an object of another class');
    return false;
  }
  if (current && draft.expect !== undefined && draft.expect !== current.revision) {
    draft.refused = new AppError('stale', `${asked.code} ${draft.id} is at ${current.revision}, not ${draft.expect}`);
    return false;
  }
  if (current && op === 'create') {
    for (const name of asked.key) addFault(draft, name, 'exists', 'is the key of an object that exists');
    return false;
  }
  if (!current && asked.abstract)
    addFault(draft, undefined, 'abstract', `${asked.code} is abstract: it has no objects`);
  draft.itsClass = current?.itsClass ?? asked;
  draft.doc = current ? { ...current.doc } : { _class: asked.code };
  return true;
}

function takeValues(draft: Draft, batch: Batch, deps: WriterDeps): void {
  const { itsClass, doc, values, current } = draft;
  const { tracked } = deps.plans(itsClass);
  const names = Object.keys(values);
  let attributes = 0;
  for (const name of names) {
    const property = itsClass.properties.get(name);
    if (!property) {
      unknownName(draft, name, batch);
      continue;
    }
    attributes += 1;
    if (property.formula || (tracked.has(name) && !batch.rules.seeds)) continue;
    const input = values[name];
    if (input === undefined) continue;
    if (property.target !== undefined) takeLinks(draft, property, input, deps);
    else if (isFileType(property) && input !== null) takeFiles(draft, property, input, deps);
    else takeValue(draft, property, input);
  }
  if (attributes === 0 && names.length > 0 && !batch.rules.seeds && !namesNothing(draft, names)) {
    addFault(draft, undefined, 'empty', `names no attribute of ${itsClass.code}`);
  }
  if (!current) {
    for (const [name, value] of draft.assigned) if (doc[name] === undefined || doc[name] === null) doc[name] = value;
  }
  const { backLink } = draft;
  if (!backLink) return;
  doc[backLink.property] = backLink.to?.id ?? null;
  draft.touched.add(backLink.property);
}

function takeValue(draft: Draft, property: Property, input: unknown): void {
  const { name, type } = property;
  const { doc, itsClass } = draft;
  draft.touched.add(name);
  if (input === null || (input === '' && property.selection !== undefined && !type.textual)) {
    doc[name] = null;
    return;
  }
  const checked = type.toStored(input, property);
  if ('fault' in checked) return addFault(draft, name, 'type', checked.fault);
  const limit = limitFault(property, checked.value, itsClass);
  if (limit !== undefined) addFault(draft, name, 'size', limit);
  doc[name] = checked.value;
  if (type.name === 'password') draft.passwords = new Set(draft.passwords).add(name);
}

/** `ref.attr` is always wrong: it would look as if it were stored. */
function unknownName(draft: Draft, name: string, { rules, unknown }: Batch): void {
  if (isSystemName(name, draft.itsClass)) return;
  const [first = ''] = name.split('.');
  if (name.includes('.') && draft.itsClass.properties.has(first) && !rules.seeds) {
    return addFault(draft, name, 'name', 'names an attribute of another object');
  }
  if (rules.unknown === 'reject' && !rules.seeds)
    return addFault(draft, name, 'unknown', 'is no attribute of the class');
  unknown.add(`${draft.itsClass.code} ${name}`);
}

/** Nested objects and upserts may consist of their key alone. */
const namesNothing = ({ op, itsClass }: Draft, names: readonly string[]): boolean =>
  op === 'save' && names.every((name) => isSystemName(name, itsClass));
