import { LegacyItem } from './legacy-item.ts';

type FormatDate = (date: Date) => unknown;

/** An item, or a list of them, as the JSON of crud; dates through `formatDate` when it is given. What is no item is null. */
export function normalize(data: unknown, formatDate?: FormatDate): unknown {
  if (Array.isArray(data)) return data.map((one) => normalize(one, formatDate));
  if (!(data instanceof LegacyItem)) return null;
  const shown = data.toJSON();
  if (typeof formatDate !== 'function') return shown;
  const entries = Object.entries(shown).map(([name, value]) => {
    const isDate = data.itsClass.properties.get(name)?.type.name === 'datetime' && typeof value === 'string';
    return [name, isDate ? formatDate(new Date(value)) : value] as const;
  });
  return Object.fromEntries(entries);
}
