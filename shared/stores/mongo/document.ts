import { mongo } from 'mongoose';
import { AppError } from '#errors.ts';
import type { Doc, Stored, Value } from '../object-store.ts';
import { escapeName, isPlainName, unescapeName } from './names.ts';

/**
 * How an object lies in MongoDB. What is null is not in `d`: so `$exists` tells who has a value, which a unique index over
 * some objects can ask and a query imply.
 */
export interface StoredDocument {
  readonly _id: string;
  /** Revision. */
  readonly r: number;
  readonly d: Doc;
  /** Names of the attributes that are null, as the application writes them. */
  readonly n: readonly string[];
  /** Names within `d` are escaped. */
  readonly e: boolean;
  /** The last batches that wrote the object, where no transaction tells. */
  readonly w?: readonly string[];
}
export type Body = Pick<StoredDocument, 'd' | 'n' | 'e'>;

const maxDepth = 90; // MongoDB ends at 100
const maxBytes = 16_000_000; // and at 16 MiB

interface Notes {
  escaped: boolean;
  /** At least the bytes that it takes. */
  weight: number;
}

/** Errors: bad_request for what is nested too deeply, too_large past 16 MB. */
export function toBody(doc: Doc): Body {
  const notes: Notes = { escaped: false, weight: 0 };
  const n: string[] = [];
  const d: Record<string, Value> = {};
  for (const [name, value] of Object.entries(doc)) {
    const encoded = encode(value, 1, notes);
    if (encoded !== null) d[encodeName(name, notes)] = encoded;
    else if (value !== undefined) n.push(name);
  }
  const body: Body = { d, n, e: notes.escaped };
  if (notes.weight > maxBytes && mongo.BSON.calculateObjectSize(body) > maxBytes) {
    throw new AppError('too_large', `a document is larger than ${maxBytes} bytes`);
  }
  return body;
}

/** What JSON makes of it: no negative zero, nothing infinite, nothing undefined. */
function encode(value: Value | undefined, depth: number, notes: Notes): Value {
  notes.weight += 20;
  if (typeof value === 'string') {
    notes.weight += 3 * value.length;
    return value;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (depth > maxDepth) throw new AppError('bad_request', 'a document is nested too deeply');
  if (Array.isArray(value)) return value.map((item: Value) => encode(item, depth + 1, notes));
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([name, item]) => [encodeName(name, notes), encode(item, depth + 1, notes)]));
}

function encodeName(name: string, notes: Notes): string {
  notes.weight += 3 * name.length;
  if (isPlainName(name)) return name;
  notes.escaped = true;
  return escapeName(name);
}

export function toStored({ _id, r, d, n, e }: StoredDocument): Stored {
  const doc = e ? (decode(d) as Doc) : d;
  if (n.length === 0) return { id: _id, revision: r, doc };
  const nulls = n.map((name): [string, Value] => [name, null]);
  return { id: _id, revision: r, doc: Object.fromEntries([...Object.entries(doc), ...nulls]) };
}

function decode(value: Value): Value {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [unescapeName(name), decode(item)]));
}
