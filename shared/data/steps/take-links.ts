import type { Property } from '#meta/class.ts';
import { addFault, type Draft } from '../draft.ts';
import type { WriterDeps } from '../writer-deps.ts';

/** References and collections: ids as sent, and the keys of nested objects, which are settled by now. */
export function takeLinks(draft: Draft, property: Property, input: unknown, deps: WriterDeps): void {
  const { name, type } = property;
  const isList = type.shape === 'list';
  if (input === null && isList) return; // answers show a collection that was not loaded as null
  draft.touched.add(name);
  if (isList && !Array.isArray(input)) return addFault(draft, name, 'type', 'must be a list');
  if (property.backRef !== undefined) return; // the others refer to this one
  if (input === null) {
    draft.doc[name] = null;
    return;
  }
  const ids: string[] = [];
  const sent: string[] = [];
  for (const member of draft.links.get(name) ?? [input].flat().map((one) => ({ sent: one }))) {
    if ('nested' in member) {
      if (member.nested.id !== undefined) ids.push(member.nested.id);
      continue;
    }
    const checked = type.toStored(isList ? [member.sent] : member.sent, property);
    if ('fault' in checked) return addFault(draft, name, 'type', checked.fault);
    for (const id of [checked.value].flat() as readonly string[]) {
      ids.push(id);
      sent.push(id);
    }
  }
  const target = property.target === undefined ? undefined : deps.classes.get(property.target);
  if (target && sent.length > 0) draft.references = [...draft.references, { name, target, ids: sent }];
  draft.doc[name] = isList ? [...new Set(ids)] : (ids[0] ?? null);
}
