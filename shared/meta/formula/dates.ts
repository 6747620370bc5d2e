import moment from 'moment';
import { readDate } from '../types/datetime.ts';
import { isEmpty, numberOf, plain, textOf, type Operator } from './node.ts';

const units = new Map<string, moment.unitOfTime.Base>(
  Object.entries({ y: 'years', year: 'years', M: 'months', month: 'months', w: 'weeks', week: 'weeks', d: 'days', day: 'days',
    h: 'hours', hour: 'hours', m: 'minutes', min: 'minutes', minute: 'minutes', s: 'seconds', sec: 'seconds', second: 'seconds',
    ms: 'milliseconds', millisecond: 'milliseconds' } as const).flatMap(([word, unit]) => [[word, unit], [unit, unit]] as const),
); // prettier-ignore

const unitOf = (value: unknown): moment.unitOfTime.Base | undefined =>
  isEmpty(value) ? 'days' : units.get(textOf(value));

/** In UTC, as everything here; undefined: no date. */
function momentOf(value: unknown, now: Date): moment.Moment | undefined {
  const date = value === 'now' ? now : value === 'today' ? startOfDay(now) : readDate(textOf(value));
  return date && moment.utc(date);
}

const startOfDay = (now: Date): Date => new Date(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`);
const text = (date: moment.Moment | undefined): string | null => (date?.isValid() === true ? date.toISOString() : null);

export const dates: Readonly<Record<string, Operator>> = {
  now: plain(0, 1, (_, { now }) => now.toISOString()),
  date: plain(0, 1, ([value], { now }) => text(momentOf(value === undefined ? 'today' : value, now))),
  dateAdd: plain(2, 3, ([date, amount, unit], { now }) => {
    const [start, number, word] = [momentOf(date, now), numberOf(amount), unitOf(unit)];
    return start && number !== undefined && word ? text(start.add(number, word)) : null;
  }),
  /** `[unit, a, b]` or `[a, b, unit]`: whole units from b to a; a date that is not given is now. */
  dateDiff: plain(1, 3, (values, { now }) => {
    const unitFirst = units.has(textOf(values[0]));
    const [a = 'now', b = 'now', unit] = unitFirst ? [values[1], values[2], values[0]] : values;
    const [later, earlier, word] = [momentOf(a, now), momentOf(b, now), unitOf(unit)];
    return later && earlier && word ? later.diff(earlier, word) : null;
  }),
  dateFormat: plain(1, 2, ([date, format], { now }) => {
    const found = momentOf(date, now);
    return found ? found.format(isEmpty(format) ? 'YYYY-MM-DD HH:mm' : textOf(format)) : null;
  }),
};
