import { createHash } from 'node:crypto';
import { AppError } from '#errors.ts';

/**
 * Attribute names as field names: without dots (a path into something), `$` in front (an operator), a null character, what
 * the driver takes for a type of its own and JavaScript for a prototype. `%` begins an escape; alone it is the empty name.
 */
const special = /^$|^\$|^_(?=bsontype$|_proto__$)|[%.\0]/g;
export const isPlainName = (name: string): boolean => name.search(special) < 0;
export const escapeName = (name: string): string =>
  name === '' ? '%' : name.replace(special, (character) => `%${hex(character)}`);
export const unescapeName = (name: string): string =>
  name === '%' ? '' : name.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

const hex = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');

/** Where an attribute's value lies in the stored document. A name that no attribute can have is a `bad_request`. */
export function fieldOf(path: string): string {
  if (path === '_id') return '_id';
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  if (path === '' || /["\\\u0000-\u001f\u007f]/.test(path) || !path.isWellFormed()) {
    throw new AppError('bad_request', `not the name of an attribute: ${JSON.stringify(path)}`);
  }
  return `d.${escapeName(path)}`;
}

/** The attribute of a field, for what the store tells of its indexes. */
export const pathOf = (field: string): string => (field === '_id' ? field : unescapeName(field.slice('d.'.length)));

const longest = 150; // bytes; the server allows 255 together with the database's name

/** Objects lie apart from Portico's own collections, whatever the application calls them. */
export function collectionName(name: string): string {
  const escaped = name.replace(/[%.$\0]/g, (character) => `%${hex(character)}`);
  if (Buffer.byteLength(escaped) <= longest) return `objects.${escaped}`;
  return `objects.${escaped.slice(0, longest / 4)}~${createHash('sha256').update(name).digest('hex')}`;
}
