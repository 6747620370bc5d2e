import { createRequire } from 'node:module';

/** The part of lodash that the stand-ins for `clone` and `merge` need; it brings no types of its own. */
interface Lodash {
  cloneDeep<T>(value: T): T;
  mergeWith(target: object, part: object, choose: (target: unknown, part: unknown) => unknown): object;
}

export const lodash = createRequire(import.meta.url)('lodash') as Lodash;
