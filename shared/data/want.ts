import type { Class, Formula } from '#meta/class.ts';

/** What is to be loaded of an object: where to go on, whether it is shown in the answer, and whether its title is. */
export interface Want {
  readonly shown: boolean;
  readonly title: boolean;
  readonly children: ReadonlyMap<string, Want>;
}

/** Titles of titles end somewhere, even where references run in a circle. */
export const mostRounds = 6;
const eagerDepth = 2;

const nothing: Want = { shown: false, title: false, children: new Map() };

/** Paths such as `['section', 'remarks']`, all of whose objects are shown. */
export const eagerWant = (paths: readonly (readonly string[])[]): Want =>
  paths.map((path) => chain(path, 'shown')).reduce(merge, { ...nothing, shown: true, title: true });

/** For formulas: objects that are read and not shown. */
export const formulaWant = (paths: readonly string[]): Want =>
  paths.map((path) => chain(path.split('.'), 'read')).reduce(merge, nothing);

/** What reading an object of a class needs beside the object itself. `plain`: nothing. */
export interface ClassNeeds {
  readonly title: Want;
  readonly formulas: Want;
  readonly eager: Want;
  /** Of attributes that are calculated at each reading, by name. */
  readonly calculated: ReadonlyMap<string, Want>;
  readonly plain: boolean;
}

/** The needs of classes, each told once. */
export function createNeeds(): (itsClass: Class) => ClassNeeds {
  const known = new Map<Class, ClassNeeds>();
  return (itsClass) => {
    let needs = known.get(itsClass);
    if (!needs) known.set(itsClass, (needs = needsOf(itsClass)));
    return needs;
  };
}

/** The want of an object, with what its class's title, formulas and `eagerLoading` need. */
export function expand(want: Want, itsClass: Class, depth: number, needs: (itsClass: Class) => ClassNeeds): Want {
  const { title, formulas, eager, calculated, plain } = needs(itsClass);
  if (plain) return want;
  const parts = [want];
  if (want.shown || want.title) parts.push(title);
  if (want.shown) parts.push(formulas);
  if (want.shown && depth < eagerDepth) parts.push(eager);
  if (!want.shown) parts.push(...[...want.children.keys()].flatMap((name) => calculated.get(name) ?? []));
  return parts.reduce(merge);
}

function needsOf(itsClass: Class): ClassNeeds {
  const properties = [...itsClass.properties.values()];
  const reaches = ({ children }: Want) =>
    [...children.keys()].some((name) => itsClass.properties.get(name)?.target !== undefined);
  const wantOf = (formula: Formula) => formulaWant(formula.paths);
  const calculated = new Map(
    properties.flatMap((one) => (one.formula && !one.cached ? [[one.name, wantOf(one.formula)] as const] : [])),
  );
  const paths = itsClass.title.flatMap((part) => ('path' in part ? [part.path] : []));
  const title = paths.map((path) => calculated.get(path[0] ?? '') ?? chain(path, 'titled')).filter(reaches);
  const formulas = [...calculated.values()].filter(reaches);
  const eager = properties.filter((one) => one.eagerLoading && one.target !== undefined);
  return {
    title: title.reduce(merge, nothing),
    formulas: formulas.reduce(merge, nothing),
    eager: eager.map((one) => chain([one.name], 'shown')).reduce(merge, nothing),
    calculated,
    plain: title.length + calculated.size + eager.length === 0,
  };
}

/** `shown`: every object on the way. `titled`: the title of the last one. `read`: none. */
function chain(path: readonly string[], purpose: 'shown' | 'titled' | 'read'): Want {
  const [name, ...rest] = path;
  const shown = purpose === 'shown';
  if (name === undefined) return { shown, title: purpose !== 'read', children: new Map() };
  return { shown, title: shown, children: new Map([[name, chain(rest, purpose)]]) };
}

function merge(one: Want, other: Want): Want {
  if (other.children.size === 0 && one.shown >= other.shown && one.title >= other.title) return one;
  const children = new Map(one.children);
  for (const [name, child] of other.children) {
    const known = children.get(name);
    children.set(name, known ? merge(known, child) : child);
  }
  return { shown: one.shown || other.shown, title: one.title || other.title, children };
}
