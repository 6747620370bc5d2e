import type { Property } from './class.ts';
import { codeOf, type Finding, type PropertyDefinition } from './definition.ts';
import { defaultFor } from './default-value.ts';
import { compileFormula } from './formula.ts';
import { keyIn, lineOf, type Declared } from './hierarchy.ts';
import { compileSelection } from './selection.ts';
import { propertyTypes, typeOfCode } from './types/index.ts';
import type { PropertyType } from './property.ts';
import type { ReadType } from './user-types.ts';

export interface PropertyCompiler {
  /** With inherited ones, structs flattened, in order. */
  propertiesOf(one: Declared): readonly Property[];
}

interface Deps {
  readonly declared: ReadonlyMap<string, Declared>;
  readonly types: ReadonlyMap<string, ReadType>;
  readonly faults: Finding[];
  readonly warnings: Finding[];
}

interface Place {
  readonly from: Declared;
  readonly definition: PropertyDefinition;
  readonly index: number;
}

export function createPropertyCompiler({ declared, types, faults, warnings }: Deps): PropertyCompiler {
  const compiled = new Map<PropertyDefinition, readonly Property[]>(); // a definition is compiled, and warned of, once

  const placed = new Map<string, readonly Place[]>();

  /** The last definition of each name in the line, in the order of `orderNumber`, then of writing. */
  function placesOf(one: Declared): readonly Place[] {
    const known = placed.get(one.code) ?? gather(one);
    placed.set(one.code, known);
    return known;
  }

  function gather(one: Declared): readonly Place[] {
    const places = new Map<string, Place>();
    for (const from of lineOf(one, declared)) {
      const here = new Set<string>();
      for (const [index, definition] of (from.definition.properties ?? []).entries()) {
        if (here.has(definition.name) && from === one) {
          warnings.push({
            file: from.file,
            path: `properties.${index}`,
            message: `${definition.name} comes twice; this one counts`,
          });
        }
        here.add(definition.name);
        places.set(definition.name, { from, definition, index });
      }
    }
    return [...places.values()].sort((a, b) => (a.definition.orderNumber ?? 0) - (b.definition.orderNumber ?? 0));
  }

  function compile(place: Place, within: readonly string[]): readonly Property[] {
    const known = compiled.get(place.definition);
    if (known) return known;
    const made = place.definition.type === propertyTypes.struct.code ? flatten(place, within) : [single(place)];
    compiled.set(place.definition, made);
    return made;
  }

  function flatten({ from, definition, index }: Place, within: readonly string[]): readonly Property[] {
    const at = { file: from.file, path: `properties.${index}.refClass` };
    const target = codeOf(definition.refClass ?? '', from.namespace);
    const struct = declared.get(target);
    if (!struct)
      return (warnings.push({ ...at, message: `there is no class ${target}; ${definition.name} is left out` }), []);
    if (within.includes(target)) return (faults.push({ ...at, message: `${target} holds itself` }), []);
    return placesOf(struct).flatMap((place) =>
      compile(place, [...within, target]).map((inner) => ({
        ...inner,
        name: `${definition.name}$${inner.name}`,
        nullable: inner.nullable || definition.nullable === true,
        readonly: inner.readonly || definition.readonly === true,
        orderNumber: definition.orderNumber ?? 0,
        struct: definition.name,
      })),
    );
  }

  /** Type and limits, a user type's own ones worked in. */
  function typeOf({ from, definition, index }: Place, seen: readonly string[] = []): Typed {
    const at = { file: from.file, path: `properties.${index}` };
    if (definition.type !== propertyTypes.custom.code) {
      const type = typeOfCode(definition.type ?? 0);
      if (definition.type === null || definition.type === undefined) {
        warnings.push({ ...at, message: `${definition.name} has no type; it counts as string` });
      }
      if (!type)
        faults.push({
          ...at,
          path: `${at.path}.type`,
          message: `there is no type ${definition.type} (${definition.name})`,
        });
      return {
        type: type ?? propertyTypes.string,
        size: definition.size,
        decimals: definition.decimals,
        userType: undefined,
      };
    }
    const code = codeOf(definition.refClass ?? '', from.namespace);
    const user = types.get(code);
    if (!user || seen.includes(code)) {
      warnings.push({
        ...at,
        path: `${at.path}.refClass`,
        message: `there is no user type ${code}; ${definition.name} counts as string`,
      });
      return { type: propertyTypes.string, size: definition.size, decimals: definition.decimals, userType: undefined };
    }
    const inner = typeOf(
      {
        from,
        index,
        definition: { ...definition, type: user.definition.type ?? 0, refClass: user.definition.refClass },
      },
      [...seen, code],
    );
    return {
      type: inner.type,
      size: definition.size || user.definition.size || inner.size,
      decimals: definition.decimals || user.definition.decimals || inner.decimals,
      userType: code,
    };
  }

  function single(place: Place): Property {
    const { from, definition, index } = place;
    const warn = (path: string, message: string) =>
      warnings.push({ file: from.file, path: `properties.${index}.${path}`, message });
    const { type, size, decimals, userType } = typeOf(place);
    const target = targetOf(place, type);
    const backRef = type.name === 'collection' ? definition.backRef || undefined : undefined;
    const targetClass = target === undefined ? undefined : declared.get(target);
    if (target !== undefined && !targetClass) {
      warn(type.name === 'collection' ? 'itemsClass' : 'refClass', `there is no class ${target} (${definition.name})`);
    }
    if (backRef && targetClass && !placesOf(targetClass).some((one) => one.definition.name === backRef)) {
      warn('backRef', `${target} has no attribute ${backRef}; ${definition.name} stays empty`);
    }
    const formula = written(definition.formula) ? compileFormula(definition.formula) : undefined;
    if (formula?.misunderstood)
      warn('formula', `not understood, ${definition.name} stays null: ${formula.misunderstood}`);
    const literal = type.shape === 'object' && typeof definition.defaultValue === 'object';
    const defaultFormula =
      !literal && isFormula(definition.defaultValue) ? compileFormula(definition.defaultValue) : undefined;
    if (defaultFormula?.misunderstood)
      warn('defaultValue', `not understood, there is no default: ${defaultFormula.misunderstood}`);
    const property: Property = {
      name: definition.name,
      caption: definition.caption || definition.name,
      type,
      orderNumber: definition.orderNumber ?? 0,
      nullable: definition.nullable === true || type.name === 'collection' || formula !== undefined,
      readonly: definition.readonly === true,
      unique: definition.unique === true,
      indexed: definition.indexed === true,
      autoassigned: definition.autoassigned === true,
      size: size || undefined,
      decimals: decimals || undefined,
      defaultValue: definition.defaultValue,
      defaultFormula,
      target,
      targetKey: keyTypeOf(target),
      backRef,
      selection: compileSelection(definition.selectionProvider),
      formula,
      cached: formula !== undefined && definition.cached === true,
      eagerLoading: definition.eagerLoading === true,
      allowedFileTypes: fileTypes(definition.allowedFileTypes),
      maxFileCount: definition.maxFileCount || undefined,
      struct: undefined,
      userType,
      meta: definition,
    };
    const value = isLiteral(property) ? defaultFor(property, nobody) : undefined;
    if (!value || 'value' in value) return property;
    warn('defaultValue', `left out, it ${value.fault} (${definition.name})`);
    return { ...property, defaultValue: undefined };
  }

  /** Type of the one attribute that is the key of a class; undefined: unknown, composite, or in a circle. */
  function keyTypeOf(target: string | undefined, seen: readonly string[] = []): PropertyType | undefined {
    const one = target === undefined || seen.includes(target) ? undefined : declared.get(target);
    if (one === undefined) return undefined;
    const [first, ...more] = keyIn(lineOf(one, declared));
    const place = placesOf(one).find(({ definition }) => definition.name === first);
    if (place === undefined || more.length > 0) return undefined;
    const code = place.definition.type ?? 0;
    if (code === propertyTypes.reference.code)
      return keyTypeOf(targetOf(place, propertyTypes.reference), [...seen, one.code]);
    return code === propertyTypes.custom.code ? propertyTypes.string : typeOfCode(code);
  }

  return { propertiesOf: (one) => placesOf(one).flatMap((place) => compile(place, [])) };
}

const nobody = { now: new Date(0), identity: null, properties: {} };
const isLiteral = ({ defaultValue, defaultFormula }: Property): boolean =>
  !defaultFormula && !(typeof defaultValue === 'string' && defaultValue.startsWith('$$'));

interface Typed {
  readonly type: PropertyType;
  readonly size: number | null | undefined;
  readonly decimals: number | null | undefined;
  readonly userType: string | undefined;
}

const targetOf = ({ from, definition }: Place, type: PropertyType): string | undefined => {
  const written =
    type.name === 'reference' ? definition.refClass : type.name === 'collection' ? definition.itemsClass : undefined;
  return written ? codeOf(written, from.namespace) : undefined;
};

const written = (raw: unknown): boolean => raw !== undefined && raw !== null && raw !== '';

/** An object, or text with parentheses. */
const isFormula = (raw: unknown): boolean =>
  typeof raw === 'string'
    ? /^\s*\w+\(.*\)\s*$/s.test(raw)
    : typeof raw === 'object' && raw !== null && !Array.isArray(raw);

const fileTypes = (raw: string | readonly string[] | null | undefined): readonly string[] =>
  (typeof raw === 'string' ? raw.split(/[,;|]/) : (raw ?? []))
    .map((one) =>
      one
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, ''),
    )
    .filter((one) => one !== '');
