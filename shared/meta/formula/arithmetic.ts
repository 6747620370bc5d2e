import { numberOf, plain, tidy, type Operator } from './node.ts';

/** Null when one of them is no number. */
const fold = (step: (total: number, next: number) => number): Operator =>
  plain(1, Infinity, (values) => {
    const numbers = values.map(numberOf);
    if (numbers.includes(undefined)) return null;
    return tidy((numbers as number[]).reduce(step));
  });

function round(value: unknown, places: unknown): number | null {
  const [number, digits] = [numberOf(value), numberOf(places)];
  if (number === undefined || digits === undefined) return null;
  const factor = 10 ** Math.min(Math.max(Math.trunc(digits), -15), 15);
  return tidy((Math.sign(number) * Math.round(Number((Math.abs(number) * factor).toPrecision(15)))) / factor);
}

export const arithmetic: Readonly<Record<string, Operator>> = {
  add: fold((total, next) => total + next),
  sub: fold((total, next) => total - next),
  mul: fold((total, next) => total * next),
  div: fold((total, next) => total / next),
  round: plain(1, 2, ([value, places]) => round(value, places)),
};
