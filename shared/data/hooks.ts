import type { Identity } from '#accounts/identity.ts';
import type { Loaded } from '#meta/class.ts';
import type { Item, Values } from './repository.ts';

/** A change about to be made. `object`: as it stands; undefined when it will be created. */
export interface Upcoming {
  readonly event: 'create' | 'edit';
  readonly className: string;
  readonly id: string | undefined;
  readonly object: Loaded | undefined;
  readonly values: Values;
}

/** What others have to say about writes, such as event listeners; handed in where the apps are put together. */
export interface Hooks {
  /** Further values for each change, in order; they win over those sent, and are not held back by `readonly`. May refuse by throwing an AppError. */
  before?(upcoming: readonly Upcoming[], as: Identity | undefined): Promise<readonly (Values | undefined)[]>;
  /** After the store has it. What it throws is logged and changes nothing. */
  after?(done: readonly Done[], as: Identity | undefined): Promise<void>;
}

export type Done =
  { readonly event: 'create' | 'edit'; readonly item: Item } | { readonly event: 'delete'; readonly object: Loaded };
