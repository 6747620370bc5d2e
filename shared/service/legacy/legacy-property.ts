import type { Property } from '#meta/class.ts';

/** The item that an attribute belongs to. */
export interface Holder {
  get(path: string): unknown;
  set(path: string, value: unknown): void;
  getAggregate(path: string): { toString(): string } | null;
  getAggregates(path: string): readonly object[] | null;
}

/** An attribute of one object, as old services know it. */
export interface LegacyProperty {
  readonly meta: Readonly<Record<string, unknown>>;
  getName(): string;
  getType(): number;
  getCaption(): string;
  getValue(): unknown;
  /** Caption of a selection, title of a loaded reference, else the value as text; `''` for none. */
  getDisplayValue(): string;
  /** The loaded object or objects of a reference or collection, else the value. */
  evaluate(): unknown;
  isNullable(): boolean;
  isReadOnly(): boolean;
  isUnique(): boolean;
  setValue(value: unknown): void;
}

export function createLegacyProperty(item: Holder, path: string, property: Property): LegacyProperty {
  const getValue = (): unknown => item.get(path);
  return {
    meta: property.meta,
    getName: () => path,
    getType: () => property.type.code,
    getCaption: () => property.caption,
    getValue,
    getDisplayValue: () => displayValue(item, path, property, getValue()),
    evaluate: () => {
      if (property.type.name === 'reference') return item.getAggregate(path);
      return property.type.name === 'collection' ? item.getAggregates(path) : getValue();
    },
    isNullable: () => property.nullable,
    isReadOnly: () => property.readonly,
    isUnique: () => property.unique,
    setValue: (value) => item.set(path, value),
  };
}

function displayValue(item: Holder, path: string, property: Property, value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const caption = property.selection?.captions.get(text);
  if (caption !== undefined) return caption;
  if (property.type.name === 'reference') return item.getAggregate(path)?.toString() ?? '';
  if (value instanceof Date) return property.type.toText(value.toISOString(), property);
  return text;
}

/** `__class` and `__classTitle`, which old code finds among the attributes. */
export const systemProperty = (name: string, value: string): LegacyProperty => ({
  meta: { name, type: 0, caption: name },
  getName: () => name,
  getType: () => 0,
  getCaption: () => name,
  getValue: () => value,
  getDisplayValue: () => value,
  evaluate: () => value,
  isNullable: () => false,
  isReadOnly: () => true,
  isUnique: () => false,
  setValue: () => {},
});
