import type { Value } from '#stores/object-store.ts';
import type { Property, TypeName } from '../class.ts';

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
