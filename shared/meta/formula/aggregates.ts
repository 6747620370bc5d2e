import type { Scope } from '../class.ts';
import {
  compare,
  isEmpty,
  isTrue,
  numberOf,
  plain,
  textOf,
  tidy,
  type Evaluate,
  type Node,
  type Operator,
} from './node.ts';
import { throughItems } from './reach.ts';

/**
 * The values an aggregate works on: of a collection `[coll, attribute, condition]` (the attribute may be a formula for
 * each item, the condition absent), else the arguments themselves. Those without a value are left out.
 */
function valuesOf(args: readonly Node[], scope: Scope, evaluate: Evaluate): readonly unknown[] {
  const [first, second, condition] = args;
  const reached = throughItems(first!, scope);
  if (!reached) return args.flatMap((arg) => evaluate(arg, scope)).filter((value) => !isEmpty(value));
  const [value, when] = reached.rest === '' ? [second, condition] : [undefined, second];
  const items = when ? reached.items.filter((item) => isTrue(evaluate(when, item))) : reached.items;
  return items
    .map((item) => {
      if (reached.rest !== '') return item.get(reached.rest);
      if (value?.kind === 'value') return item.get(textOf(value.value));
      return value && evaluate(value, item);
    })
    .filter((one) => !isEmpty(one));
}

const aggregate = (run: (values: readonly unknown[]) => unknown): Operator => ({
  takes: [1, Infinity],
  overItems: true,
  reachesOut: true,
  run: (args, scope, evaluate) => run(valuesOf(args, scope, evaluate)),
});

function total(values: readonly unknown[]): number | null {
  const numbers = values.map(numberOf);
  return numbers.includes(undefined) ? null : tidy((numbers as number[]).reduce((sum, one) => sum + one, 0));
}

const extreme = (sign: number) => (values: readonly unknown[]) =>
  values.length === 0 ? null : values.reduce((best, one) => ((compare(one, best) ?? 0) * sign > 0 ? one : best));

/** `[coll, condition]`: how many items fulfil it; of plain arguments: how many have a value. */
const count: Operator = {
  takes: [1, Infinity],
  overItems: true,
  reachesOut: true,
  run(args, scope, evaluate) {
    const reached = throughItems(args[0]!, scope);
    if (!reached) return valuesOf(args, scope, evaluate).length;
    const when = args.at(-1)!;
    return args.length === 1 || when.kind !== 'call'
      ? reached.items.length
      : reached.items.filter((item) => isTrue(evaluate(when, item))).length;
  },
};

/** `[path, attribute]`: an attribute of what the path reaches; of a collection: of its first item. */
const get: Operator = {
  takes: [1, 2],
  overItems: true,
  reachesOut: true,
  run([first, second], scope, evaluate) {
    const more = second === undefined ? '' : textOf(second.kind === 'path' ? second.path : evaluate(second, scope));
    const reached = throughItems(first!, scope);
    const path = [reached ? reached.rest : first!.kind === 'path' ? first!.path : '', more]
      .filter((one) => one !== '')
      .join('.');
    if (reached) return reached.items[0] === undefined || path === '' ? null : reached.items[0].get(path);
    return first!.kind === 'path' ? scope.get(path) : evaluate(first!, scope);
  },
};

export const aggregates: Readonly<Record<string, Operator>> = {
  count,
  sum: aggregate(total),
  avg: aggregate((values) => {
    const sum = total(values);
    return sum === null || values.length === 0 ? null : tidy(sum / values.length);
  }),
  min: aggregate(extreme(-1)),
  max: aggregate(extreme(1)),
  get,
  size: {
    takes: [1, 1],
    run: ([first], scope, evaluate) => {
      const reached = throughItems(first!, scope);
      if (reached) return reached.items.length;
      const value = evaluate(first!, scope);
      return Array.isArray(value) ? value.length : textOf(value).length;
    },
  },
  next: plain(1, 1, ([sequence], scope) => scope.next(textOf(sequence))),
};
