import type { Class } from '#meta/class.ts';
import type { Item } from '#data/repository.ts';
import type { Source } from './legacy-item.ts';

/** An item that is not read from the repository: values by name, nothing loaded. */
export const sourceOf = (itsClass: Class, id: string, doc: Item['doc']): Source => {
  const get = (name: string): unknown => {
    const property = itsClass.properties.get(name);
    const stored = doc[name] ?? null;
    return property === undefined || stored === null ? stored : property.type.toJson(stored, property);
  };
  return {
    id,
    itsClass,
    doc,
    get,
    reference: () => undefined,
    collection: () => undefined,
    toString: () => id,
    toJSON: () => ({
      _id: id,
      __class: itsClass.code,
      __classTitle: itsClass.caption,
      ...Object.fromEntries(Array.from(itsClass.properties.keys(), (name) => [name, get(name)])),
    }),
  };
};
