import type { Filter } from '#query/filter.ts';
import type { Class } from '#meta/class.ts';

/** `use` on a class is the right to create; `full` holds all. */
export type Permission = 'read' | 'write' | 'delete' | 'use' | 'full';

/** Why an answer came out as it did, for explanations; names the deciding rule and its file. */
export interface Reason {
  readonly allowed: boolean;
  readonly rule: string;
}

/** What one identity may do, its roles resolved. Good for one request. */
export interface Rights {
  /** Any resource name, such as `ws:::gen-ws-token` or `s:::echo`. */
  may(permission: Permission, resource: string): boolean;
  /** `some`: only on single objects; ask `mayObject` or `filter`. */
  mayClass(permission: Permission, itsClass: Class): 'all' | 'some' | 'none';
  /** On the object's own class. */
  mayObject(permission: Permission, itsClass: Class, id: string): boolean;
  /** The objects of a class and its descendants on which the permission holds. */
  filter(permission: Permission, itsClass: Class): Filter;
  explain(permission: Permission, resource: string): Reason;
}

/** @param identity `<user>@<type>`; null is nobody, who has what `*` has */
export interface Access {
  rightsOf(identity: string | null): Promise<Rights>;
  /** Whether any role names the resource: what nobody names (such as a service) is open to all. */
  isNamed(resource: string): boolean | Promise<boolean>;
}

/** Further identities and roles of a user, such as those found by aclMetaMap. */
export type IdentityProvider = (identity: string) => Promise<readonly string[]>;
