import { lodash } from './lodash.ts';

/** `clone(value)`: deep. An application that brings its own clone gets that. */
const clone = (value: unknown): unknown => lodash.cloneDeep(value);

export default clone;
export { clone as 'module.exports' };
