import { isScalar, type Filter, type Scalar } from '#query/filter.ts';

type Alternatives = { readonly path: string; readonly values: readonly (Scalar | null)[] };

/** The same condition with less to compute: `and` in `and` is one, and alternatives for one attribute are one `in`. */
export function simplify(filter: Filter): Filter {
  if (filter.op === 'or')
    return { op: 'or', parts: merge(flatten(filter.parts, 'or'), alternatives, (merged) => merged) };
  if (filter.op === 'and') {
    const excluded = (part: Filter): Alternatives | undefined =>
      part.op === 'not' ? alternatives(part.part) : undefined;
    return { op: 'and', parts: merge(flatten(filter.parts, 'and'), excluded, (part) => ({ op: 'not', part })) };
  }
  if (filter.op === 'in' && filter.values.length === 1)
    return { op: 'eq', path: filter.path, value: filter.values[0]! };
  return filter;
}

/** Without recursion: the depth is the sender's choice. A group of one is what it holds. */
function flatten(parts: readonly Filter[], op: 'and' | 'or'): Filter[] {
  const flat: Filter[] = [];
  const ahead = parts.toReversed();
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    const group = part.op === 'and' || part.op === 'or' ? part : undefined;
    if (group && (group.op === op || group.parts.length === 1)) ahead.push(...group.parts.toReversed());
    else flat.push(part);
  }
  return flat;
}

function alternatives(part: Filter): Alternatives | undefined {
  if (part.op === 'in') return part;
  return part.op === 'eq' && (part.value === null || isScalar(part.value))
    ? { path: part.path, values: [part.value] }
    : undefined;
}

function merge(
  parts: readonly Filter[],
  read: (part: Filter) => Alternatives | undefined,
  write: (part: Filter) => Filter,
): Filter[] {
  const byPath = Map.groupBy(parts, (part) => read(part)?.path);
  return Array.from(byPath).flatMap(([path, group]) => {
    if (path === undefined || group.length === 1) return group;
    return [write({ op: 'in', path, values: group.flatMap((part) => read(part)?.values ?? []) })];
  });
}
