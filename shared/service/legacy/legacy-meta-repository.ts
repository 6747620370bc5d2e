import { AppError } from '#errors.ts';
import type { Class, Classes } from '#meta/class.ts';
import { createLegacyClass, type LegacyClass } from './legacy-class.ts';
import { toIonError } from './legacy-error.ts';

/** `metaRepo` of old services, as far as classes go. */
export interface LegacyMetaRepository {
  /** Throws an IonError (meta-repo.nc) for an unknown class. */
  getMeta(name: string, version?: unknown, namespace?: string): LegacyClass;
  listMeta(ancestor?: string | null, version?: unknown, direct?: boolean, namespace?: string): readonly LegacyClass[];
  ancestor(name: string, version?: unknown, namespace?: string): LegacyClass | null;
  propertyMetas(name: string, version?: unknown, namespace?: string): readonly Readonly<Record<string, unknown>>[];
}

/** @param published further members, such as navigation and views, handed on as they are */
export function createLegacyMetaRepository(classes: Classes, published: object = {}): LegacyMetaRepository {
  const find = (name: string, namespace?: string): Class => {
    const found = classes.get(name.includes('@') || !namespace ? name : `${name}@${namespace}`);
    if (found === undefined) throw toIonError(new AppError('not_found', `there is no class ${name}`), false);
    return found;
  };
  const below = (itsClass: Class, direct: boolean): readonly Class[] =>
    itsClass.descendants.flatMap((one) => (direct ? [one] : [one, ...below(one, false)]));

  const offered: LegacyMetaRepository = {
    getMeta: (name, _version, namespace) => createLegacyClass(find(name, namespace)),
    listMeta: (ancestor, _version, direct = true, namespace) => {
      const listed = ancestor ? below(find(ancestor, namespace), direct) : classes.all();
      return listed.filter((one) => !namespace || one.namespace === namespace).map(createLegacyClass);
    },
    ancestor: (name, _version, namespace) => createLegacyClass(find(name, namespace)).getAncestor(),
    propertyMetas: (name, _version, namespace) => createLegacyClass(find(name, namespace)).getPropertyMetas(),
  };
  return Object.assign(Object.create(published) as object, offered);
}
