import type { Permission } from '#access/rights.ts';
import type { Class, Loaded } from '#meta/class.ts';
import type { Filter } from '#query/filter.ts';

/** What a guard is asked about: one object, and for a change the names of the attributes that would change. */
export interface Attempt {
  readonly permission: Permission;
  readonly object: Loaded;
  readonly names?: readonly string[];
}

/**
 * Rules about single objects beside the roles, such as those of workflow states; handed in where the apps are put together.
 * A guard may only narrow what the roles give.
 */
export interface Guard {
  /** For lists: objects of the class (and descendants) that are not refused. */
  filter(permission: Permission, itsClass: Class, as: string | null): Promise<Filter>;
  /** One answer per attempt, in order: whether it is refused. */
  refuses(attempts: readonly Attempt[], as: string | null): Promise<readonly boolean[]>;
}
