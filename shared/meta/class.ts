import type { Doc } from '#stores/object-store.ts';
import type { Property } from './property.ts';

export * from './property.ts';

/** An object with its class. */
export interface Loaded {
  readonly id: string;
  readonly itsClass: Class;
  readonly doc: Doc;
}

/** How titles and formulas reach other objects: only what was loaded before. */
export interface Lookup {
  /** Undefined: not there, or not loaded. */
  object(target: string, id: string): Loaded | undefined;
  /** Items of a collection, computed ones too. */
  items(of: Loaded, property: Property): readonly Loaded[];
}

/** A part of a compiled semantic: literal text, or a path with the piece of its text that is shown. */
export type TitlePart =
  | { readonly text: string }
  | { readonly path: readonly string[]; readonly start: number; readonly length: number | undefined };

/** `meta/types/<x>.type.json`: a type with a mask and limits of its own. */
export interface UserType {
  /** `<name>@<namespace>` */
  readonly code: string;
  readonly name: string;
  readonly caption: string;
  readonly mask: unknown;
  readonly maskName: string | undefined;
  /** The file's content, `namespace` filled in. */
  readonly plain: Readonly<Record<string, unknown>>;
}

export interface Trackers {
  readonly created: string | undefined;
  readonly changed: string | undefined;
  readonly creator: string | undefined;
  readonly editor: string | undefined;
}

/** A compiled class. Immutable. */
export interface Class {
  /** `<name>@<namespace>` */
  readonly code: string;
  readonly name: string;
  readonly namespace: string;
  readonly caption: string;
  readonly version: string;
  /** Attribute names; several are joined by `_` to make the object's key. */
  readonly key: readonly string[];
  readonly semantic: string;
  /** The semantic compiled; empty: the key is the title (semantic.ts). */
  readonly title: readonly TitlePart[];
  readonly abstract: boolean;
  /** Only part of other classes: no objects, no collection. */
  readonly isStruct: boolean;
  readonly ancestor: Class | undefined;
  /** Direct ones. */
  readonly descendants: readonly Class[];
  /** Where objects of the hierarchy are stored: one collection per root class. */
  readonly collection: string;
  /** This class and all below it, as codes: the values of `_class` that a read of this class covers. */
  readonly family: readonly string[];
  readonly trackers: Trackers;
  /** With inherited ones, in `orderNumber` order. */
  readonly properties: ReadonlyMap<string, Property>;
  /** Names of the attributes that the class itself declares. */
  readonly own: ReadonlySet<string>;
  /** Own and inherited. */
  readonly compositeIndexes: readonly { readonly properties: readonly string[]; readonly unique: boolean }[];
  /** The file's content, `namespace` filled in. */
  readonly plain: Readonly<Record<string, unknown>>;
}

export interface Classes {
  readonly namespace: string;
  /** By code; a bare name belongs to the application's namespace. */
  get(code: string): Class | undefined;
  all(): readonly Class[];
  /** By code. */
  readonly userTypes: ReadonlyMap<string, UserType>;
}
