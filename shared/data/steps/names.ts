import type { Class } from '#meta/class.ts';

const systemNames: ReadonlySet<string> = new Set([
  '_id',
  'id',
  '_creator',
  '_editor',
  '_class',
  '_classVer',
  '__class',
  '__classVer',
  '__classTitle',
  '__string',
]);

/** Names that answers carry beside the attributes, so that an answer can be sent back as it came. */
export const isSystemName = (name: string, itsClass: Class): boolean =>
  systemNames.has(name) || (name.endsWith('_str') && itsClass.properties.has(name.slice(0, -'_str'.length)));
