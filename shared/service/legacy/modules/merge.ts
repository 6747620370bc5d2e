import { lodash } from './lodash.ts';

type Join = (target: object, part: object) => object;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const into =
  (join: Join) =>
  (...parts: readonly unknown[]): object => {
    const objects = parts.filter(isObject);
    const copies = parts[0] === true ? [{}, ...objects.map((one) => lodash.cloneDeep(one))] : objects;
    return copies.slice(1).reduce(join, copies[0] ?? {});
  };

const deeply: Join = (target, part) =>
  lodash.mergeWith(target, part, (_, value) => (Array.isArray(value) ? value : undefined));

/** `merge(a, b)` into the first, `merge(true, a, b)` into a new object, `merge.recursive` deeply. An application's own merge goes first. */
const merge = Object.assign(into(Object.assign), { recursive: into(deeply) });

export default merge;
export { merge as 'module.exports' };
