import { and, type Filter } from './filter.ts';

/**
 * The filter with a further condition wherever it reaches objects of another class: what a caller may not read must not
 * decide either.
 */
export function narrowReached(filter: Filter, conditionOn: (target: string) => Filter): Filter {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { op: filter.op, parts: filter.parts.map((part) => narrowReached(part, conditionOn)) };
    case 'not':
      return { op: 'not', part: narrowReached(filter.part, conditionOn) };
    case 'some': {
      const { target } = filter.reach;
      const own = target === undefined ? [] : [conditionOn(target)];
      return { ...filter, part: and(...own, narrowReached(filter.part, conditionOn)) };
    }
    default:
      return filter;
  }
}

/** Codes of the classes a filter reaches. */
export function reachedBy(filter: Filter): readonly string[] {
  if (filter.op === 'and' || filter.op === 'or') return filter.parts.flatMap(reachedBy);
  if (filter.op === 'not') return reachedBy(filter.part);
  if (filter.op !== 'some') return [];
  return [...(filter.reach.target === undefined ? [] : [filter.reach.target]), ...reachedBy(filter.part)];
}
