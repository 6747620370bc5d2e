import type { Choice, Property, Selection } from './class.ts';
import type { PropertyDefinition } from './definition.ts';

type Provider = NonNullable<PropertyDefinition['selectionProvider']>;

/** A `selectionProvider`; undefined when it lists nothing, or is of a kind that only an application's own code can answer. */
export function compileSelection(provider: PropertyDefinition['selectionProvider']): Selection | undefined {
  if (!provider) return undefined;
  const matrix = (provider.matrix ?? []).map((row) => ({
    when: conditions(row.conditions),
    choices: choices(row.result),
  }));
  const list = { when: undefined, choices: choices(provider.list) };
  const rows = provider.type?.toUpperCase() === 'MATRIX' ? matrix : [list];
  if (rows.every((row) => row.choices.length === 0)) return undefined;
  return { rows, captions: new Map(rows.flatMap((row) => row.choices.map(({ key, caption }) => [key, caption]))) };
}

const conditions = (raw: unknown): unknown =>
  raw === null || (Array.isArray(raw) && raw.length === 0) ? undefined : raw;

const choices = (list: Provider['list']): readonly Choice[] =>
  (list ?? []).map(({ key, value }) => ({
    key: String(key),
    caption: typeof value === 'string' || typeof value === 'number' ? String(value) : String(key),
  }));

/** `<name>_str`: the caption of a value, or of each member of a list; null where there is none. */
export function captionOf(property: Property, json: unknown): string | null {
  if (json === null || json === undefined || property.selection === undefined) return null;
  const { captions } = property.selection;
  const one = (value: unknown): string => captions.get(String(value)) ?? String(value);
  return Array.isArray(json) ? json.map(one).join(', ') : one(json);
}
