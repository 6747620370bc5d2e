import type { PropertyType } from './types/property-type.ts';

/** Codes of section "Property types" in docs/reference/metadata.md. */
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
  readonly rows: readonly { readonly when: unknown; readonly choices: readonly Choice[] }[];
  readonly captions: ReadonlyMap<string, string>;
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
  readonly defaultValue: unknown;
  /** Code of the class that a reference or the items of a collection belong to. */
  readonly target: string | undefined;
  /** Attribute of the target that refers back; such a collection is computed, not stored. */
  readonly backRef: string | undefined;
  readonly selection: Selection | undefined;
  /** Of a calculated attribute; `cached` ones are stored and refreshed on write. */
  readonly formula: unknown;
  readonly cached: boolean;
  readonly eagerLoading: boolean;
  readonly allowedFileTypes: readonly string[];
  readonly maxFileCount: number | undefined;
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
  readonly abstract: boolean;
  readonly ancestor: Class | undefined;
  readonly descendants: readonly Class[];
  /** Where objects of the hierarchy are stored: one collection per root class. */
  readonly collection: string;
  /** This class and all below it, as codes: the values of `_class` that a read of this class covers. */
  readonly family: readonly string[];
  readonly trackers: Trackers;
  /** With inherited ones, in `orderNumber` order. */
  readonly properties: ReadonlyMap<string, Property>;
  /** Unique combinations, own and inherited. */
  readonly compositeIndexes: readonly { readonly properties: readonly string[]; readonly unique: boolean }[];
  /** The file's content, `namespace` filled in. */
  readonly plain: Readonly<Record<string, unknown>>;
}

export interface Classes {
  readonly namespace: string;
  /** By code; a bare name belongs to the application's namespace. */
  get(code: string): Class | undefined;
  all(): readonly Class[];
}
