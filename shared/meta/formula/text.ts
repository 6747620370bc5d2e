import { numberOf, plain, textOf, type Operator } from './node.ts';

export const text: Readonly<Record<string, Operator>> = {
  concat: plain(1, Infinity, (values) => values.map(textOf).join('')),
  substr: plain(2, 3, ([value, start, length]) => {
    const [from, count] = [numberOf(start) ?? 0, length === undefined ? Infinity : (numberOf(length) ?? 0)];
    const whole = textOf(value);
    const first = from < 0 ? Math.max(whole.length + from, 0) : from;
    return whole.slice(first, first + Math.max(count, 0));
  }),
  upper: plain(1, 1, ([value]) => textOf(value).toUpperCase()),
  lower: plain(1, 1, ([value]) => textOf(value).toLowerCase()),
};
