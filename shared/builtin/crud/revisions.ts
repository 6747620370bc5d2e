import { AppError } from '#errors.ts';
import type { Item, Repository } from '#data/repository.ts';
import type { Class } from '#meta/class.ts';
import type { ServiceRequest } from '#service/index.ts';

/** RFC 9110 8.8.3: the revision, and what else is shown behind a dash. */
export const etagOf = (item: Item): string => `"${item.version}"`;

/** `W/` is ignored: proxies that compress put it there. Undefined: no header. */
function tagsIn(header: string): readonly string[] | undefined {
  if (header.trim() === '') return undefined;
  return header.split(',').map((one) => one.trim().replace(/^W\//, ''));
}

/** RFC 9110 13.1.2: whether the client has this very answer. */
export function isKnown(request: ServiceRequest, item: Item): boolean {
  const tags = tagsIn(request.get('if-none-match'));
  return tags !== undefined && (tags.includes('*') || tags.includes(etagOf(item)));
}

/**
 * The revision that a change expects by `If-Match` (RFC 9110 13.1.1); undefined: any. What else was shown with the object
 * does not count. Errors: `stale` when no revision named can stand, `precondition_required`.
 */
export async function expectedRevision(
  request: ServiceRequest,
  itsClass: Class,
  id: string,
  { repo, isRequired }: { readonly repo: Repository; readonly isRequired: boolean },
): Promise<number | undefined> {
  const tags = tagsIn(request.get('if-match'));
  if (tags === undefined) {
    if (isRequired) throw new AppError('precondition_required', `${itsClass.code} ${id}`);
    return undefined;
  }
  if (tags.includes('*')) return undefined;
  const revisions = tags.map((tag) => Number(/^"(\d+)(?:-[\w-]*)?"$/.exec(tag)?.[1] ?? 0));
  if (revisions.length === 1) return revisions[0];
  const current = await repo.get(itsClass.code, id, {}, request.user);
  return current && revisions.includes(current.revision) ? current.revision : 0; // no object is at revision 0
}

/** Whether a class or the deployment asks for `If-Match` on every change. */
export const requiresIfMatch = (itsClass: Class, everywhere: boolean): boolean =>
  everywhere || itsClass.plain['requireIfMatch'] === true;
