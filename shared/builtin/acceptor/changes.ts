import type { Fault } from '#errors.ts';
import type { Change } from '#data/repository.ts';
import type { Classes } from '#meta/class.ts';

/** What an object says of itself beside its attributes; versions are not looked at. */
const ownNames: ReadonlySet<string> = new Set(['_id', '_class', '_classVer', '__classVer']);

/** One object as an upsert, or what is wrong with it before its class is known. */
export function toChange(sent: unknown, index: number, classes: Pick<Classes, 'get'>): Change | Fault {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return { index, code: 'type', message: 'must be an object' };
  }
  const { _class: className, _id: id } = sent as Readonly<Record<string, unknown>>;
  if (className === undefined || className === null || className === '') {
    return { index, property: '_class', code: 'required', message: 'must name the class of the object' };
  }
  const itsClass = typeof className === 'string' ? classes.get(className) : undefined;
  if (!itsClass || itsClass.isStruct) return { index, property: '_class', code: 'class', message: 'is no class here' };
  const key = id === undefined || id === null || id === '' ? undefined : id;
  if (key !== undefined && typeof key !== 'string' && typeof key !== 'number') {
    return { index, property: '_id', code: 'type', message: 'must be text' };
  }
  return {
    op: 'save',
    className: itsClass.code,
    id: key === undefined ? undefined : String(key),
    values: Object.fromEntries(Object.entries(sent).filter(([name]) => !ownNames.has(name))),
  };
}

export const isFault = (one: Change | Fault): one is Fault => 'code' in one;
