import { AppError } from '#errors.ts';
import type { Batch, Draft } from '../draft.ts';
import type { Attempt } from '../guard.ts';

/**
 * Refuses what the caller may not do, on each object's real class: `use` to create, `write` to change. What does not exist
 * is refused like what does, so that nobody learns which. Nested objects that stay as they are need no right.
 */
export async function checkRights(drafts: readonly Draft[], { sight }: Pick<Batch, 'sight'>): Promise<void> {
  if (sight.trusted) return;
  const asked = drafts.filter((draft) => draft.refused === undefined && !draft.unchanged);
  const allowed = await sight.allows(asked.map(attemptOf));
  for (const [place, draft] of asked.entries()) {
    if (allowed[place] === true) continue;
    const { permission, object } = attemptOf(draft);
    draft.refused = new AppError('forbidden', `no ${permission} on ${object.itsClass.code} ${object.id}`);
  }
}

function attemptOf({ current, asked, op, id, told, values }: Draft): Attempt {
  const names = Object.keys(values);
  if (current && op !== 'create') {
    return { permission: 'write', object: { id: id ?? '', itsClass: current.itsClass, doc: current.doc }, names };
  }
  const object = { id: told ?? id ?? '', itsClass: asked, doc: {} };
  return { permission: op === 'edit' ? 'write' : 'use', object, names };
}
