import type { Class, Classes, Property, Trackers, UserType } from './class.ts';
import { createPropertyCompiler, type PropertyCompiler } from './compile-property.ts';
import { check, classDefinition, codeOf, type Finding, type Source } from './definition.ts';
import { declare, inOrder, keyIn, lineOf, type Declared } from './hierarchy.ts';
import { compileTitles } from './semantic.ts';
import { readTypes } from './user-types.ts';

export interface Sources {
  /** In the order of their names: of two with one identity the later wins. */
  readonly classes: readonly Source[];
  readonly types: readonly Source[];
}

export interface Compiled {
  /** Without the classes that have faults. */
  readonly classes: Classes;
  readonly faults: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** @param namespace of definitions that name none */
export function compileClasses(sources: Sources, namespace: string): Compiled {
  const faults: Finding[] = [];
  const warnings: Finding[] = [];
  const types = readTypes(sources.types, namespace, faults, warnings);
  const declared = new Map<string, Declared>();
  for (const source of sources.classes) {
    const read = check(classDefinition, source, faults);
    if (read === undefined) continue;
    const one = declare(read, source.file, namespace);
    const before = declared.get(one.code);
    if (before)
      warnings.push({
        file: one.file,
        path: 'name',
        message: `${one.code} is also in ${before.file}; this one counts`,
      });
    declared.set(one.code, one);
  }
  const order = inOrder(declared);
  faults.push(...order.faults);
  const sound = new Map(order.ordered.map((one) => [one.code, one]));
  const compiler = createPropertyCompiler({ declared: sound, types, faults, warnings });
  const classes = new Map<string, Class>();
  for (const one of order.ordered)
    classes.set(one.code, build(one, { classes, declared: sound, compiler, faults, warnings }));
  compileTitles([...classes.values()], (code) => classes.get(code));
  return { classes: toClasses(classes, types, namespace), faults, warnings };
}

interface Context {
  readonly classes: ReadonlyMap<string, Class>;
  readonly declared: ReadonlyMap<string, Declared>;
  readonly compiler: PropertyCompiler;
  readonly faults: Finding[];
  readonly warnings: Finding[];
}

function build(one: Declared, { classes, declared, compiler, faults, warnings }: Context): Class {
  const { definition, file, code, name, namespace } = one;
  const line = lineOf(one, declared);
  const ancestor = one.ancestor === undefined ? undefined : classes.get(one.ancestor);
  const properties = new Map(compiler.propertiesOf(one).map((property) => [property.name, property]));
  const key = keyIn(line);
  for (const part of key.filter((attribute) => !properties.has(attribute))) {
    faults.push({ file, path: 'key', message: `there is no attribute ${part}` });
  }
  const isStruct = definition.isStruct === true;
  const abstract = definition.abstract === true;
  if (key.length === 0 && !isStruct && !abstract) {
    warnings.push({ file, path: 'key', message: `${code} has no key; its objects get a UUID as their id` });
  }
  const compiled: Class = {
    code, name, namespace, key, ancestor, abstract, isStruct, properties,
    caption: definition.caption || name,
    version: String(definition.version ?? ''),
    semantic: line.map((each) => each.definition.semantic ?? '').findLast((semantic) => semantic !== '') ?? '',
    title: [],
    descendants: [],
    collection: line[0]!.code,
    family: [code],
    trackers: trackersOf(line, properties, warnings),
    own: new Set(ownNames(one, properties)),
    compositeIndexes: indexesOf(line, properties, warnings),
    plain: { ...definition, name, namespace },
  }; // prettier-ignore
  for (let above = ancestor; above !== undefined; above = above.ancestor) (above.family as string[]).push(code);
  if (ancestor) (ancestor.descendants as Class[]).push(compiled);
  return compiled;
}

const ownNames = ({ definition }: Declared, properties: ReadonlyMap<string, Property>): readonly string[] => {
  const declaredHere = new Set((definition.properties ?? []).map((property) => property.name));
  return [...properties.values()].flatMap(({ name, struct }) => (declaredHere.has(struct ?? name) ? [name] : []));
};

function trackersOf(
  line: readonly Declared[],
  properties: ReadonlyMap<string, Property>,
  warnings: Finding[],
): Trackers {
  const find = (
    word: 'creationTracker' | 'changeTracker' | 'creatorTracker' | 'editorTracker',
    typed: 'datetime' | undefined,
  ) => {
    const from = line.findLast(({ definition }) => definition[word]);
    const name = from?.definition[word];
    if (!from || !name) return undefined;
    const property = properties.get(name);
    if (property && (typed === undefined || property.type.name === typed)) return name;
    if (from === line.at(-1)) {
      warnings.push({
        file: from.file,
        path: word,
        message: property ? `${name} is no date` : `there is no attribute ${name}`,
      });
    }
    return undefined;
  };
  return {
    created: find('creationTracker', 'datetime'),
    changed: find('changeTracker', 'datetime'),
    creator: find('creatorTracker', undefined),
    editor: find('editorTracker', undefined),
  };
}

function indexesOf(
  line: readonly Declared[],
  properties: ReadonlyMap<string, Property>,
  warnings: Finding[],
): Class['compositeIndexes'] {
  return line.flatMap(({ file, definition }, depth) =>
    (definition.compositeIndexes ?? []).flatMap((index, place) => {
      const missing = index.properties.filter((name) => !properties.has(name));
      if (missing.length === 0 && index.properties.length > 0)
        return [{ properties: index.properties, unique: index.unique === true }];
      if (depth === line.length - 1) {
        warnings.push({
          file,
          path: `compositeIndexes.${place}`,
          message: `left out, there is no attribute ${missing.join(', ')}`,
        });
      }
      return [];
    }),
  );
}

const toClasses = (
  classes: ReadonlyMap<string, Class>,
  userTypes: ReadonlyMap<string, UserType>,
  namespace: string,
): Classes => ({
  namespace,
  get: (code) => classes.get(codeOf(code, namespace)),
  all: () => [...classes.values()],
  userTypes,
});
