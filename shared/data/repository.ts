import type { Identity } from '#accounts/identity.ts';
import type { AppError } from '#errors.ts';
import type { Class } from '#meta/class.ts';
import type { Doc } from '#stores/object-store.ts';

export interface ListOptions {
  /** Either notation of docs/filters.md; checked against the class. */
  readonly filter?: unknown;
  /** Equality by name, as in the address of a list; a name that is no attribute: nothing matches. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** `{name: 1, created: -1}`, or as text: `name,-created`. Without it: by key. */
  readonly sort?: Readonly<Record<string, 1 | -1>> | string;
  readonly offset?: number;
  /** Without it: all. */
  readonly count?: number;
  /** Paths to load: `['section', 'remarks']`. */
  readonly eager?: readonly (readonly string[])[];
  /** Whether `total` is counted: objects that fulfil the filter, whatever `offset` and `count`. */
  readonly total?: boolean;
}

export interface PresentOptions {
  /** Only these attributes, beside the system fields. */
  readonly fields?: readonly string[] | undefined;
  /** Shared by the items of one answer: an object met again in it is `{_id}`. */
  readonly seen?: Set<string>;
}

/** One object, read. `toJSON` is its public form; nothing else of the stored document leaves. */
export interface Item {
  readonly id: string;
  readonly itsClass: Class;
  readonly revision: number;
  /** Changes with everything that the public form is made of, loaded objects included. */
  readonly version: string;
  /** The stored attributes; for trusted code. */
  readonly doc: Doc;
  /** A value by path, such as `section.name` where the reference was loaded. */
  get(path: string): unknown;
  /** A loaded reference as an item. */
  reference(name: string): Item | undefined;
  /** A loaded collection as items. */
  collection(name: string): readonly Item[] | undefined;
  toString(): string;
  /** The public form, with its loaded references and collections. */
  present(options?: PresentOptions): Readonly<Record<string, unknown>>;
  /** The class's attributes alone, nothing loaded: `_id, id, _class, _classVer` first. */
  presentPlain(): Readonly<Record<string, unknown>>;
  toJSON(): Readonly<Record<string, unknown>>;
}

export interface WriteOptions {
  readonly as?: Identity | undefined;
  /** Revision that must still stand; `AppError('stale')` otherwise. */
  readonly expect?: number | undefined;
  /** Attributes that may change though they are read-only, such as those a transition sets. */
  readonly unlocked?: readonly string[];
  /** Of names that are no attribute; default `ignore`. */
  readonly unknown?: 'ignore' | 'reject';
  /** Paths to load in the answer. */
  readonly eager?: readonly (readonly string[])[];
}

export type Values = Readonly<Record<string, unknown>>;

/** `save` creates or edits by key. `id` of a create is not looked at: its key comes from the values. */
export interface Change {
  readonly op: 'create' | 'edit' | 'save';
  readonly className: string;
  readonly id?: string | undefined;
  readonly values: Values;
  readonly expect?: number | undefined;
  readonly unlocked?: readonly string[] | undefined;
}

export interface BatchOptions {
  readonly as?: Identity | undefined;
  /** `atomic`: one bad object and nothing is stored (an AppError whose faults carry `index`). `partial`: each for itself. */
  readonly mode: 'atomic' | 'partial';
  /** Of names that are no attribute; default `ignore`. */
  readonly unknown?: 'ignore' | 'reject';
  /** All but the storing. */
  readonly dryRun?: boolean;
}

export type Outcome = { readonly item: Item; readonly created: boolean } | { readonly error: AppError };

/**
 * Objects of classes. `dataRepo` checks no rights (trusted code); `securedDataRepo` checks the rights of `as` (nobody when absent).
 * Errors: AppError not_found (unknown class or object), invalid (with faults), forbidden, stale.
 */
export interface Repository {
  /** @param filter a Filter, or either notation of docs/filters.md */
  list(className: string, filter?: unknown, as?: Identity | null): Promise<readonly Item[]>;
  find(
    className: string,
    options: ListOptions,
    as?: Identity | null,
  ): Promise<{ readonly items: readonly Item[]; readonly total?: number }>;
  count(className: string, filter?: unknown, as?: Identity | null): Promise<number>;
  /** Undefined when there is none; `AppError('forbidden')` when `as` may not read it, or could not if there were one. */
  get(
    className: string,
    id: string,
    options?: Pick<ListOptions, 'eager'>,
    as?: Identity | null,
  ): Promise<Item | undefined>;
  create(className: string, values: Values, options?: WriteOptions): Promise<Item>;
  edit(className: string, id: string, values: Values, options?: WriteOptions): Promise<Item>;
  /** Creates or edits, by key. */
  save(className: string, id: string | undefined, values: Values, options?: WriteOptions): Promise<Item>;
  remove(className: string, id: string, options?: WriteOptions): Promise<void>;
  /** Many at once, in a handful of trips to the store; one outcome per change, in order. An object may come several times. */
  write(changes: readonly Change[], options: BatchOptions): Promise<readonly Outcome[]>;
}
