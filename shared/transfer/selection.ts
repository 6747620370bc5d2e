import { AppError } from '#errors.ts';
import { familyFilter } from '#data/load-graph.ts';
import type { Class, Classes } from '#meta/class.ts';
import { all, and, type Filter } from '#query/filter.ts';
import { matches } from '#query/matches.ts';
import { parseFilter } from '#query/parse-filter.ts';
import type { Stored } from '#stores/object-store.ts';

/** Which objects go along: those of classes (with what descends from them) that fulfil a filter (docs/filters.md). */
export interface SelectionOptions {
  /** Undefined: of all classes. */
  readonly classes?: readonly string[] | undefined;
  readonly filter?: unknown;
}

/** A part of one collection. */
export interface Chosen {
  readonly collection: string;
  readonly filter: Filter;
}

/** By collection, in order of their names. Unknown classes and filters that do not fit them are a `bad_request`. */
export function choose(
  { classes: codes, filter }: SelectionOptions,
  classes: Pick<Classes, 'all' | 'get'>,
): readonly Chosen[] {
  const asked =
    codes === undefined ? classes.all().filter((one) => !one.ancestor) : codes.map((code) => find(code, classes));
  const parts = asked
    .filter((one) => !one.isStruct)
    .map((one) => ({
      collection: one.collection,
      filter: and(familyFilter(one), parseFilter(filter, one, classes)),
    }));
  return Array.from(
    Map.groupBy(parts, ({ collection }) => collection),
    ([collection, group]): Chosen => {
      const filters = group.map((one) => one.filter);
      return { collection, filter: filters.length === 1 ? filters[0]! : anyOf(filters) };
    },
  ).toSorted((a, b) => (a.collection < b.collection ? -1 : 1));
}

const anyOf = (parts: readonly Filter[]): Filter =>
  parts.some((part) => part.op === 'all') ? all : { op: 'or', parts };

function find(code: string, classes: Pick<Classes, 'get'>): Class {
  const found = classes.get(code);
  if (found && !found.isStruct) return found;
  throw new AppError('bad_request', `no class ${code}`, { publicText: `There is no class ${code} that has objects` });
}

/** Whether an object belongs to the selection, told from itself alone. */
export function createJudge(
  options: SelectionOptions,
  classes: Pick<Classes, 'all' | 'get'>,
): (collection: string, object: Pick<Stored, 'id' | 'doc'>) => boolean {
  const chosen = new Map(choose(options, classes).map(({ collection, filter }) => [collection, filter]));
  for (const filter of chosen.values()) {
    if (!reaches(filter)) continue;
    const publicText =
      'The filter of an import sees each object alone: it cannot reach through references and collections';
    throw new AppError('bad_request', publicText, { publicText });
  }
  return (collection, object) => {
    const filter = chosen.get(collection);
    return filter !== undefined && matches(filter, object);
  };
}

function reaches(filter: Filter): boolean {
  if (filter.op === 'and' || filter.op === 'or') return filter.parts.some(reaches);
  return filter.op === 'some' || (filter.op === 'not' && reaches(filter.part));
}
