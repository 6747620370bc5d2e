import type { PropertyType } from '../property.ts';
import { toJsonValue } from './json-value.ts';

/** A timetable: an object or a list, its inside is the application's. */
export const scheduleType: PropertyType = {
  name: 'schedule',
  code: 210,
  shape: 'object',
  sized: false,
  ordered: false,
  textual: false,
  toStored(input) {
    const value = typeof input === 'object' ? toJsonValue(input) : undefined;
    return value === undefined || value === null ? { fault: 'must be an object or a list' } : { value };
  },
  toJson: (stored) => stored,
  toText: (stored) => JSON.stringify(stored),
};
