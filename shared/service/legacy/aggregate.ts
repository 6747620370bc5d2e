import type { LegacyItem } from './legacy-item.ts';

type Operation = 'count' | 'sum' | 'avg' | 'min' | 'max';
const operations: Readonly<Record<Operation, (values: readonly number[]) => number | null>> = {
  count: (values) => values.length,
  sum: (values) => values.reduce((sum, one) => sum + one, 0),
  avg: (values) => (values.length === 0 ? null : operations.sum(values)! / values.length),
  min: (values) => (values.length === 0 ? null : Math.min(...values)),
  max: (values) => (values.length === 0 ? null : Math.max(...values)),
};

export interface AggregateOptions {
  /** Name in the answer → attribute to group by: `{ town: '$town' }`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Name in the answer → `{ sum: ['$price'] }`. */
  readonly expressions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const pathOf = (argument: unknown): string =>
  String(Array.isArray(argument) ? argument[0] : argument).replace(/^\$/, '');

/** A row per group, with the groups' fields and what was counted. One row without `fields`. */
export function aggregate(
  items: readonly LegacyItem[],
  { fields = {}, expressions = {} }: AggregateOptions,
): readonly object[] {
  const valueOf = (item: LegacyItem, path: unknown): unknown => item.get(pathOf(path));
  const groups = Map.groupBy(items, (item) => JSON.stringify(Object.values(fields).map((path) => valueOf(item, path))));
  if (groups.size === 0 && Object.keys(fields).length === 0) groups.set('', []);
  return Array.from(groups.values(), (group) =>
    Object.fromEntries([
      ...Object.entries(fields).map(
        ([name, path]) => [name, group[0] === undefined ? null : valueOf(group[0], path)] as const,
      ),
      ...Object.entries(expressions).map(([name, expression]) => [name, evaluate(group, expression, valueOf)] as const),
    ]),
  );
}

function evaluate(
  group: readonly LegacyItem[],
  expression: Readonly<Record<string, unknown>>,
  valueOf: (item: LegacyItem, path: unknown) => unknown,
): number | null {
  const [word = '', argument] = Object.entries(expression)[0] ?? [];
  if (!Object.hasOwn(operations, word))
    throw new Error(`aggregate knows ${Object.keys(operations).join(', ')}; '${word}' is not offered here`);
  if (word === 'count') return group.length;
  const values = group.map((item) => valueOf(item, argument)).filter((value) => value !== null && value !== undefined);
  return operations[word as Operation](values.map(Number));
}
