import type { Class, Classes } from '#meta/class.ts';
import { attributeOf, some, stepOf } from './attribute.ts';
import { compare, within } from './condition.ts';
import { queryFault, quote } from './fault.ts';
import { all, and, type Filter } from './filter.ts';
import { parseFilterTree } from './filter-tree-notation.ts';
import { parseConditionList } from './list-notation.ts';
import { parseMap } from './map-notation.ts';
import { isPrefix, parsePrefix } from './prefix-notation.ts';
import type { Reader } from './reader.ts';

export interface FilterLimits {
  /** Levels of nesting. */
  readonly depth: number;
  /** Comparisons in the whole filter. */
  readonly terms: number;
}

export const filterLimits: FilterLimits = { depth: 50, terms: 500 };

/**
 * A filter in any of the notations of docs/filters.md, checked against the class; values become stored form. Unknown
 * attributes, unknown operators and values of a wrong type are `AppError('bad_request')` with a fault that names them.
 */
export function parseFilter(
  raw: unknown,
  itsClass: Class,
  classes: Pick<Classes, 'get'>,
  limits: FilterLimits = filterLimits,
): Filter {
  const count = { terms: 0 };
  return read(raw, itsClass, 0);

  function read(condition: unknown, from: Class, depth: number): Filter {
    if (depth > limits.depth) throw queryFault(`the filter is nested deeper than ${limits.depth} levels`);
    if (condition === null || condition === undefined) return all;
    if (typeof condition !== 'object') throw queryFault(`${quote(condition)} is no condition`);
    const reader = readerOf(from, depth);
    if (Array.isArray(condition)) return parseConditionList(condition, reader);
    if (Object.hasOwn(condition, 'op') && !reader.has('op')) return parseFilterTree(condition, reader);
    const parts = Object.entries(condition).map(([key, value]: [string, unknown]) =>
      isPrefix(key, value, reader) ? parsePrefix(key, value, reader) : parseMap(key, value, reader),
    );
    return and(...parts);
  }

  function readerOf(itsOwn: Class, depth: number): Reader {
    const term = () => {
      count.terms += 1;
      if (count.terms > limits.terms) throw queryFault(`the filter has more than ${limits.terms} comparisons`);
    };
    return {
      has: (name) => itsOwn.properties.has(name),
      condition: (nested) => read(nested, itsOwn, depth + 1),
      compare(word, path, value) {
        term();
        return compare(word, attributeOf(itsOwn, path, classes), value);
      },
      contains(path, nested) {
        term();
        const attribute = attributeOf(itsOwn, path, classes);
        if (attribute.property?.type.name === 'set' || typeof nested !== 'object' || nested === null) {
          if (attribute.property?.type.shape === 'list') return compare('eq', attribute, nested);
        }
        const step = stepOf(attribute);
        if (typeof nested !== 'object') throw queryFault(`"contains" on ${quote(path)} takes a condition`, path);
        return within(attribute, some(step, read(nested, step.target, depth + 1)), false);
      },
    };
  }
}
