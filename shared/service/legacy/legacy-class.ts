import type { Class } from '#meta/class.ts';

/** A class as old services know it. */
export interface LegacyClass {
  readonly plain: Readonly<Record<string, unknown>>;
  getCanonicalName(): string;
  getName(): string;
  getNamespace(): string;
  getCaption(): string;
  getVersion(): string;
  getKeyProperties(): readonly string[];
  getPropertyMeta(name: string): Readonly<Record<string, unknown>> | undefined;
  getPropertyMetas(): readonly Readonly<Record<string, unknown>>[];
  getAncestor(): LegacyClass | null;
  getDescendants(): readonly LegacyClass[];
  /** This class or the ancestor of that name, null when there is none. */
  checkAncestor(name: string): LegacyClass | null;
}

export function createLegacyClass(itsClass: Class): LegacyClass {
  const legacy: LegacyClass = {
    plain: itsClass.plain,
    getCanonicalName: () => itsClass.code,
    getName: () => itsClass.name,
    getNamespace: () => itsClass.namespace,
    getCaption: () => itsClass.caption,
    getVersion: () => itsClass.version,
    getKeyProperties: () => itsClass.key,
    getPropertyMeta: (name) => itsClass.properties.get(name)?.meta,
    getPropertyMetas: () => Array.from(itsClass.properties.values(), (property) => property.meta),
    getAncestor: () => (itsClass.ancestor === undefined ? null : createLegacyClass(itsClass.ancestor)),
    getDescendants: () => itsClass.descendants.map(createLegacyClass),
    checkAncestor: (name) => {
      if (name === itsClass.code || name === itsClass.name) return legacy;
      return legacy.getAncestor()?.checkAncestor(name) ?? null;
    },
  };
  return legacy;
}
