import type { PropertyType } from '../property.ts';

/** A group of attributes. Compiling a class replaces it by `<struct>$<attribute>`, so no value ever has this type. */
export const structType: PropertyType = {
  name: 'struct',
  code: 16,
  shape: 'object',
  sized: false,
  ordered: false,
  textual: false,
  toStored: () => ({ fault: 'is a group: give its attributes as <group>$<attribute>' }),
  toJson: () => null,
  toText: () => '',
};
