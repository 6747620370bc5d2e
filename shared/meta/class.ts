import type { Doc } from '#stores/object-store.ts';
import type { PropertyType } from './types/property-type.ts';

/** Codes of section "Property types" in docs/metadata.md. */
export const typeCodes = {
  string: 0, text: 1, html: 2, url: 3, image: 4, file: 5, integer: 6, real: 7, decimal: 8, datetime: 9, boolean: 10,
  password: 11, guid: 12, reference: 13, collection: 14, set: 15, struct: 16, custom: 17, user: 18,
  period: 60, geo: 100, files: 110, schedule: 210,
} as const; // prettier-ignore

export type TypeName = keyof typeof typeCodes;

export interface Choice {
  /** Compared as strings. */
  readonly key: string;
  readonly caption: string;
}

/** A selection list: fixed, or rows that hold under conditions (MATRIX; the union of the rows that hold). */
export interface Selection {
  /** `when` is a filter as written (docs/filters.md); undefined: always. */
  readonly rows: readonly { readonly when: unknown; readonly choices: readonly Choice[] }[];
  readonly captions: ReadonlyMap<string, string>;
}

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

/** What a formula sees. Values are as in JSON answers: dates ISO text, decimals numbers. */
export interface Scope {
  /** Null: no value, or it cannot be reached. */
  get(path: string): unknown;
  /** A scope per item of the collection at the path; undefined: no collection is there. */
  items(path: string): readonly Scope[] | undefined;
  readonly now: Date;
  /** A number taken from a named sequence, reserved by the caller (`Formula.sequences`). */
  next(sequence: string): number | null;
}

/** A compiled formula; one that was not understood evaluates to null. It never throws. */
export interface Formula {
  evaluate(scope: Scope): unknown;
  /** Paths it reads, such as `section.name`; those of a collection's items begin with the collection. */
  readonly paths: readonly string[];
  /** Sequences it takes a number from. */
  readonly sequences: readonly string[];
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

/** One attribute of a class, after inheritance, structs and user types were worked in. */
export interface Property {
  readonly name: string;
  readonly caption: string;
  readonly type: PropertyType;
  readonly orderNumber: number;
  readonly nullable: boolean;
  readonly readonly: boolean;
  readonly unique: boolean;
  readonly indexed: boolean;
  readonly autoassigned: boolean;
  /** Longest text, largest number of digits; undefined: no limit. */
  readonly size: number | undefined;
  readonly decimals: number | undefined;
  /** As written; `defaultFor` (default-value.ts) makes the value. */
  readonly defaultValue: unknown;
  /** Of a default that is a formula. */
  readonly defaultFormula: Formula | undefined;
  /** Code of the class that a reference or the items of a collection belong to. */
  readonly target: string | undefined;
  /** Type of the target's key where that is one attribute; ids are checked and answered in its form. */
  readonly targetKey: PropertyType | undefined;
  /** Attribute of the target that refers back; such a collection is computed, not stored. */
  readonly backRef: string | undefined;
  readonly selection: Selection | undefined;
  /** Of a calculated attribute; `cached` ones are stored and refreshed on write. */
  readonly formula: Formula | undefined;
  readonly cached: boolean;
  readonly eagerLoading: boolean;
  readonly allowedFileTypes: readonly string[];
  readonly maxFileCount: number | undefined;
  /** Name of the struct it was flattened from. */
  readonly struct: string | undefined;
  /** Code of its user type, for masks. */
  readonly userType: string | undefined;
  /** The definition as written in the class file. */
  readonly meta: Readonly<Record<string, unknown>>;
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
