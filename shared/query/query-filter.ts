import type { Class, Classes } from '#meta/class.ts';
import { findAttribute, type Attribute } from './attribute.ts';
import { compare } from './condition.ts';
import { queryFault, quote } from './fault.ts';
import { and, type Filter } from './filter.ts';

/** Names in the address of a list that are no filters. */
export const listParameters: ReadonlySet<string> = new Set([
  '_offset',
  '_count',
  '_sort',
  '_fields',
  '_eager',
  '_total',
]);

/**
 * The equality filters in the address of a list. A name that is no attribute: nothing matches. An empty value of an
 * attribute that is no text means that it has none. Values of a wrong type are `AppError('bad_request')`.
 */
export function parseQueryFilter(
  query: Readonly<Record<string, unknown>>,
  itsClass: Class,
  classes: Pick<Classes, 'get'>,
): Filter | 'nothing' {
  const parts: Filter[] = [];
  let known = true;
  for (const [name, value] of Object.entries(query)) {
    if (listParameters.has(name.replace(/\[\]$/, ''))) continue;
    const attribute = findAttribute(itsClass, name, classes);
    if (attribute) parts.push(compare('eq', attribute, valueOf(attribute, value)));
    else known = false;
  }
  return known ? and(...parts) : 'nothing';
}

function valueOf({ property, written }: Attribute, value: unknown): unknown {
  if (typeof value !== 'string') throw queryFault(`${quote(written)} takes one plain value`, written);
  const isText = property?.type.textual === true && property.type.name !== 'guid';
  return value === '' && !isText ? null : value;
}
