import { isFileValue } from '#meta/types/file-value.ts';
import type { Class, TypeName } from '#meta/class.ts';
import type { Doc, Value } from '#stores/object-store.ts';

const fileTypes: readonly TypeName[] = ['file', 'image', 'files'];

const namesOf = (itsClass: Class, types: readonly TypeName[]): readonly string[] =>
  [...itsClass.properties.values()].filter(({ type }) => types.includes(type.name)).map(({ name }) => name);

/** The attributes of a class that moving has to look at, told once per class. */
export interface AttributeNames {
  readonly files: (itsClass: Class) => readonly string[];
  readonly passwords: (itsClass: Class) => readonly string[];
}

export function createAttributeNames(): AttributeNames {
  const remember = (types: readonly TypeName[]) => {
    const known = new Map<Class, readonly string[]>();
    return (itsClass: Class): readonly string[] => {
      const names = known.get(itsClass) ?? namesOf(itsClass, types);
      known.set(itsClass, names);
      return names;
    };
  };
  return { files: remember(fileTypes), passwords: remember(['password']) };
}

/** Hashes of the contents that a document names. */
export const contentsOf = (doc: Doc, names: readonly string[]): readonly string[] =>
  names
    .flatMap((name): readonly (Value | undefined)[] => [doc[name]].flat() as readonly (Value | undefined)[])
    .filter(isFileValue)
    .map(({ hash }) => hash);

export const without = (doc: Doc, names: readonly string[]): Doc =>
  names.some((name) => name in doc)
    ? Object.fromEntries(Object.entries(doc).filter(([name]) => !names.includes(name)))
    : doc;
