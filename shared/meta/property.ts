import type { Value } from '#stores/object-store.ts';

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

/** What a value can be told: its stored form, or what is wrong with it (shown to the caller, without the property's name). */
export type Checked = { readonly value: Value } | { readonly fault: string };

/** One file per property type in this folder; nothing outside it asks for a type by code. */
export interface PropertyType {
  readonly name: TypeName;
  readonly code: number;
  /** `list` for collections, sets and file lists. */
  readonly shape: 'scalar' | 'list' | 'object';
  /** Whether `size` limits the length of its values. */
  readonly sized: boolean;
  /** Whether stored values have an order that means something: `lt`, `gt` and sorting. */
  readonly ordered: boolean;
  /** Whether stored values are text that people search in: `like` and `$regex`. */
  readonly textual: boolean;
  /** Input as sent (JSON, or text of a form) to stored form. Null never comes here. */
  toStored(input: unknown, property: Property): Checked;
  /** Stored form to what JSON answers hold; references, files and collections are presented by the data room. */
  toJson(stored: Value, property: Property): unknown;
  /** As text, for `__string` and display. */
  toText(stored: Value, property: Property): string;
  /** A value on create where none is given and the attribute is autoassigned or its default is `now`; undefined: cannot. */
  assign?(now: Date): Value;
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
