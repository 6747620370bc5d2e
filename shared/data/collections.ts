import type { Class, Classes } from '#meta/class.ts';
import type { Collection, Index } from '#stores/object-store.ts';
import { rolesCollection } from '#access/roles.ts';
import { rootOf } from './graph.ts';
import { ledgerCollection } from './ledger.ts';

/** Name of an index → the attributes it is about, told by the name itself so that a clash can name them. */
const prefix = { unique: 'unique:', plain: 'index:' } as const;

/** What the stores must have for the classes, and for the rooms below: one collection per hierarchy. */
export function collectionsOf(classes: Pick<Classes, 'all'>): readonly Collection[] {
  const roots = new Map<string, Class[]>();
  for (const one of classes.all().filter((each) => !each.isStruct)) {
    const { code } = rootOf(one);
    roots.set(code, [...(roots.get(code) ?? []), one]);
  }
  const ofClasses = Array.from(roots.values(), (family): Collection => {
    const indexes = new Map(family.flatMap(indexesOf).map((index) => [index.name, index]));
    if (family.length > 1) indexes.set('index:_class', { name: 'index:_class', paths: ['_class'] });
    return { name: family[0]!.collection, indexes: [...indexes.values()] };
  });
  return [...ofClasses, { name: rolesCollection, indexes: [] }, { name: ledgerCollection, indexes: [] }];
}

/** Indexed and unique attributes, references (they are joined and looked up by), keys that are sorted by value. */
function indexesOf(itsClass: Class): readonly Index[] {
  const single = [...itsClass.properties.values()].flatMap((property): Index[] => {
    const { name, unique, indexed, formula, cached, backRef, type } = property;
    if ((formula && !cached) || backRef !== undefined || type.shape !== 'scalar') return [];
    if (unique) return [{ name: prefix.unique + name, paths: [name], unique: true }];
    const isSorted = itsClass.key.length === 1 && itsClass.key[0] === name && !type.textual;
    return indexed || type.name === 'reference' || isSorted ? [{ name: prefix.plain + name, paths: [name] }] : [];
  });
  const composite = itsClass.compositeIndexes.map(({ properties, unique }): Index => ({
    name: (unique ? prefix.unique : prefix.plain) + properties.join(','),
    paths: properties,
    ...(unique ? { unique } : {}),
  }));
  return [...single, ...composite];
}

/** Attributes that an index which refused a write is about. */
export const attributesOf = (index: string): readonly string[] =>
  index.startsWith(prefix.unique) ? index.slice(prefix.unique.length).split(',') : [];

/** Combinations of attributes that no two objects may share. */
export const uniqueSets = (itsClass: Class): readonly (readonly string[])[] =>
  indexesOf(itsClass).flatMap((index) => (index.unique ? [index.paths] : []));
