import type { Class } from '#meta/class.ts';
import { barred } from './attribute.ts';
import { queryFault, quote } from './fault.ts';
import type { Sort } from './filter.ts';

const most = 20;

/**
 * An order as written: `-a,b`, or `{ "a": -1, "b": 1 }`; `_id` and `id` mean the key. Empty or absent: no order.
 * Unknown attributes and those without an order are `AppError('bad_request')`.
 */
export function parseSort(raw: unknown, itsClass: Class): Sort {
  const words = wordsOf(raw);
  if (words.length > most) throw queryFault(`at most ${most} attributes can be sorted by`);
  return words.flatMap(({ path, descending }) => by(path, descending, itsClass));
}

/** The order of a list that asks for none: by the key's attributes, so that numbers come as numbers do. */
export const keySort = (itsClass: Class): Sort => byKey(itsClass, false);

function byKey({ key, properties }: Class, descending: boolean): Sort {
  const sortable = key.every((name) => properties.get(name)?.type.ordered === true);
  return key.length > 0 && sortable ? key.map((path) => ({ path, descending })) : [{ path: '_id', descending }];
}

function by(path: string, descending: boolean, itsClass: Class): Sort {
  const property = itsClass.properties.get(path);
  if (!property && (path === '_id' || path === 'id')) return byKey(itsClass, descending);
  if (!property) throw queryFault(`${quote(path)} is no attribute of ${itsClass.code} to sort by`, path);
  const ordered = property.type.ordered || property.type.name === 'boolean';
  const reason = barred(property) ?? (ordered ? undefined : 'has no order');
  if (reason) throw queryFault(`${quote(path)} ${reason}: it cannot be sorted by`, path);
  return [{ path, descending }];
}

function wordsOf(raw: unknown): Sort {
  if (raw === null || raw === undefined || raw === '') return [];
  if (typeof raw === 'string') {
    return raw.split(',').map((word) => {
      const [, sign, path = ''] = /^\s*([+-]?)(.*?)\s*$/.exec(word) ?? [];
      return { path, descending: sign === '-' };
    });
  }
  if (Array.isArray(raw)) return raw.flatMap((one: unknown) => (typeof one === 'string' ? wordsOf(one) : refuse(one)));
  if (typeof raw !== 'object') return refuse(raw);
  return Object.entries(raw).map(([path, way]: [string, unknown]) => {
    if (way !== 1 && way !== -1 && way !== '1' && way !== '-1')
      throw queryFault(`the order of ${quote(path)} is 1 or -1`, path);
    return { path, descending: Number(way) < 0 };
  });
}

function refuse(raw: unknown): never {
  throw queryFault(`${quote(raw)} is no order: "-a,b" or {"a": -1, "b": 1}`);
}
