import type { UserType } from './class.ts';
import { check, codeOf, typeDefinition, type Finding, type Source, type TypeDefinition } from './definition.ts';

export interface ReadType extends UserType {
  readonly file: string;
  readonly definition: TypeDefinition;
}

/** By code; of two with one identity the later by name wins. */
export function readTypes(
  sources: readonly Source[],
  namespace: string,
  faults: Finding[],
  warnings: Finding[],
): Map<string, ReadType> {
  const types = new Map<string, ReadType>();
  for (const source of sources) {
    const definition = check(typeDefinition, source, faults);
    if (definition === undefined) continue;
    const code = codeOf(definition.name, definition.namespace || namespace);
    const at = code.lastIndexOf('@');
    const before = types.get(code);
    if (before)
      warnings.push({ file: source.file, path: 'name', message: `${code} is also in ${before.file}; this one counts` });
    types.set(code, {
      code,
      name: code.slice(0, at),
      caption: definition.caption || code.slice(0, at),
      mask: definition.mask,
      maskName: definition.maskName ?? undefined,
      plain: { ...definition, name: code.slice(0, at), namespace: code.slice(at + 1) },
      file: source.file,
      definition,
    });
  }
  return types;
}
