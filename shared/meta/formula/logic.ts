import { compare, isEmpty, isTrue, plain, textOf, type Operator } from './node.ts';
import { itemsOf } from './reach.ts';

const ordered = (holds: (order: number) => boolean): Operator =>
  plain(2, 2, ([a, b]) => {
    const order = isEmpty(a) || isEmpty(b) ? undefined : compare(a, b);
    return order !== undefined && holds(order);
  });

const folded = (value: unknown): string => textOf(value).toLowerCase();

/** A collection holds an item that fulfils the condition; a list holds the value; a text holds the piece. */
const contains: Operator = {
  takes: [2, 2],
  overItems: true,
  run([first, second], scope, evaluate) {
    const items = itemsOf(first!, scope);
    if (items && second!.kind === 'call') return items.some((item) => isTrue(evaluate(second!, item)));
    const [whole, part] = [evaluate(first!, scope), evaluate(second!, scope)];
    if (Array.isArray(whole)) return whole.some((one) => compare(one, part) === 0);
    return textOf(whole).includes(textOf(part));
  },
};

export const logic: Readonly<Record<string, Operator>> = {
  eq: plain(2, 2, ([a, b]) => compare(a, b) === 0),
  ne: plain(2, 2, ([a, b]) => compare(a, b) !== 0),
  lt: ordered((order) => order < 0),
  lte: ordered((order) => order <= 0),
  gt: ordered((order) => order > 0),
  gte: ordered((order) => order >= 0),
  and: { takes: [1, Infinity], run: (args, scope, evaluate) => args.every((arg) => isTrue(evaluate(arg, scope))) },
  or: { takes: [1, Infinity], run: (args, scope, evaluate) => args.some((arg) => isTrue(evaluate(arg, scope))) },
  not: plain(1, 1, ([value]) => !isTrue(value)),
  if: {
    takes: [2, 3],
    run: ([condition, then, otherwise], scope, evaluate) => {
      const chosen = isTrue(evaluate(condition!, scope)) ? then : otherwise;
      return chosen === undefined ? null : evaluate(chosen, scope);
    },
  },
  empty: plain(1, 1, ([value]) => isEmpty(value)),
  nempty: plain(1, 1, ([value]) => !isEmpty(value)),
  in: plain(2, Infinity, ([value, ...among]) => among.flat().some((one) => compare(value, one) === 0)),
  like: plain(2, 2, ([whole, piece]) => folded(whole).includes(folded(piece))),
  contains,
};
