import type { PropertyType } from '../property.ts';
import { sameText } from './text-value.ts';

const form = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** An ISO 8601 date or date and time; without a zone it is UTC. Undefined: none, or a day that does not exist. */
export function readDate(text: string): Date | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    form.exec(text) ?? [];
  if (year === undefined) return undefined;
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(y, mo - 1, d);
  if (date.getUTCMonth() !== mo - 1 || h > 23 || mi > 59 || s > 59) return undefined;
  date.setUTCHours(h, mi, s, Number(fraction.padEnd(3, '0').slice(0, 3)));
  const offset = minutesOf(zone);
  if (offset === undefined) return undefined;
  const shifted = new Date(date.getTime() - offset * 60_000);
  return isKeepable(shifted) ? shifted : undefined;
}

/** Years 0 to 9999: others have no ISO form of the same length, and so no sortable one. */
const isKeepable = (date: Date): boolean => date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999;

function minutesOf(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.replace(':', '').slice(3) || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** A moment. Stored and answered as `YYYY-MM-DDTHH:mm:ss.sssZ`; shown as `YYYY-MM-DD HH:mm` in UTC. */
export const datetimeType: PropertyType = {
  name: 'datetime',
  code: 9,
  shape: 'scalar',
  sized: false,
  ordered: true,
  textual: false,
  toStored(input) {
    const date = typeof input === 'string' ? readDate(input) : input;
    if (!(date instanceof Date) || Number.isNaN(date.getTime()) || !isKeepable(date)) {
      return { fault: 'must be an ISO 8601 date, such as 2025-10-03T08:00:00Z' };
    }
    return { value: date.toISOString() };
  },
  toJson: (stored) => stored,
  toText: (stored) => sameText(stored).slice(0, 16).replace('T', ' '),
  assign: (now) => now.toISOString(),
};
