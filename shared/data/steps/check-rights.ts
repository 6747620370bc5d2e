import { AppError } from '#errors.ts';
import type { Batch, Draft } from '../draft.ts';
import type { Attempt } from '../guard.ts';
import { isSystemName } from './names.ts';

/**
 * Refuses what the caller may not do, on each object's real class: `use` to create, `write` to change. What does not exist
 * is refused like what does, so that nobody learns which. Nested objects that stay as they are need `read` or `write`:
 * without, their values could be guessed at until nothing changes. A key alone is a link and needs nothing.
 */
export async function checkRights(drafts: readonly Draft[], { sight }: Pick<Batch, 'sight'>): Promise<void> {
  if (sight.trusted) return;
  const asked = drafts.filter((draft) => draft.refused === undefined && !isLink(draft));
  const denied = await deniedOf(asked, sight, attemptOf);
  const readable = denied.filter(({ unchanged }) => unchanged);
  const unseen = new Set(await deniedOf(readable, sight, (draft) => ({ ...attemptOf(draft), permission: 'read' })));
  for (const draft of denied) {
    if (draft.unchanged && !unseen.has(draft)) continue;
    const { permission, object } = attemptOf(draft);
    draft.refused = new AppError('forbidden', `no ${permission} on ${object.itsClass.code} ${object.id}`);
  }
}

async function deniedOf(
  drafts: readonly Draft[],
  sight: Batch['sight'],
  toAttempt: (draft: Draft) => Attempt,
): Promise<readonly Draft[]> {
  if (drafts.length === 0) return drafts;
  const allowed = await sight.allows(drafts.map(toAttempt));
  return drafts.filter((_draft, place) => allowed[place] !== true);
}

const isLink = ({ unchanged, values, itsClass, backLink }: Draft): boolean =>
  unchanged &&
  backLink === undefined &&
  Object.keys(values).every(
    (name) => itsClass.key.includes(name) || (isSystemName(name, itsClass) && !itsClass.properties.has(name)),
  );

function attemptOf({ current, asked, op, id, told, values }: Draft): Attempt {
  const names = Object.keys(values);
  if (current && op !== 'create') {
    return { permission: 'write', object: { id: id ?? '', itsClass: current.itsClass, doc: current.doc }, names };
  }
  const object = { id: id ?? told ?? '', itsClass: asked, doc: {} };
  return { permission: op === 'edit' ? 'write' : 'use', object, names };
}
