import type { Item } from '#data/repository.ts';
import type { Class, Property } from '#meta/class.ts';
import { createLegacyClass, type LegacyClass } from './legacy-class.ts';
import { createLegacyProperty, systemProperty, type LegacyProperty } from './legacy-property.ts';

/** What stands behind an item: a stored object, or values that `wrap` was given. */
export type Source = Pick<Item, 'id' | 'itsClass' | 'doc' | 'get' | 'reference' | 'collection' | 'toString' | 'toJSON'>;

const shownValue = (property: Property | undefined, value: unknown): unknown => {
  return property?.type.name === 'datetime' && typeof value === 'string' ? new Date(value) : value;
};

/** An object as old services know it. Dates are Date objects; passwords are never there; `set` changes this copy alone. */
export class LegacyItem {
  readonly id: string;
  readonly classMeta: LegacyClass;
  /** Values by name, as a copy. */
  readonly base: Record<string, unknown>;
  readonly source: Source;

  constructor(source: Source) {
    this.source = source;
    this.id = source.id;
    this.classMeta = createLegacyClass(source.itsClass);
    this.base = { ...source.doc };
    for (const [name, property] of source.itsClass.properties)
      if (name in this.base) this.base[name] = shownValue(property, source.get(name));
  }

  get itsClass(): Class {
    return this.source.itsClass;
  }

  getItemId(): string {
    return this.id;
  }

  getClassName(): string {
    return this.itsClass.code;
  }

  getMetaClass(): LegacyClass {
    return this.classMeta;
  }

  getCreator(): unknown {
    return this.source.doc['_creator'];
  }

  getEditor(): unknown {
    return this.source.doc['_editor'];
  }

  /** A value by path through loaded references and collections; null when there is none. */
  get(path: string): unknown {
    if (path === '__class') return this.itsClass.code;
    if (path === '__classTitle') return this.itsClass.caption;
    const [name = '', ...rest] = path.split('.');
    if (rest.length > 0) {
      const inner = rest.join('.');
      return this.getAggregates(name)?.map((one) => one.get(inner)) ?? this.getAggregate(name)?.get(inner) ?? null;
    }
    if (Object.hasOwn(this.base, name)) return this.base[name] ?? null;
    return shownValue(this.itsClass.properties.get(name), this.source.get(name)) ?? null;
  }

  set(path: string, value: unknown): void {
    const [name = '', ...rest] = path.split('.');
    if (rest.length > 0) this.getAggregate(name)?.set(rest.join('.'), value);
    else this.base[name] = value instanceof LegacyItem ? value.getItemId() : value;
  }

  /** A loaded reference; null when it is empty or was not loaded. */
  getAggregate(name: string): LegacyItem | null {
    const found = this.source.reference(name);
    return found === undefined ? null : new LegacyItem(found);
  }

  /** A loaded collection; null when it was not loaded. */
  getAggregates(name: string): readonly LegacyItem[] | null {
    if (this.itsClass.properties.get(name)?.type.name !== 'collection') return null;
    return this.source.collection(name)?.map((one) => new LegacyItem(one)) ?? null;
  }

  property(path: string): LegacyProperty | null {
    const [name = '', ...rest] = path.split('.');
    if (rest.length > 0) return this.getAggregate(name)?.property(rest.join('.')) ?? null;
    const all = this.getProperties();
    return Object.hasOwn(all, name) ? all[name]! : null;
  }

  /** By name, `__class` and `__classTitle` first. */
  getProperties(): Readonly<Record<string, LegacyProperty>> {
    const own = Array.from(this.itsClass.properties, ([name, property]) => [
      name,
      createLegacyProperty(this, name, property),
    ]);
    return {
      __class: systemProperty('__class', this.itsClass.code),
      __classTitle: systemProperty('__classTitle', this.itsClass.caption),
      ...(Object.fromEntries(own) as Record<string, LegacyProperty>),
    };
  }

  toString(): string {
    return this.source.toString();
  }

  toJSON(): Readonly<Record<string, unknown>> {
    return this.source.toJSON();
  }
}
