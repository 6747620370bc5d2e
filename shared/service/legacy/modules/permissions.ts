const names = { READ: 'read', WRITE: 'write', DELETE: 'delete', USE: 'use', FULL: 'full' } as const;
const bits = [['read', 1], ['write', 2], ['delete', 4], ['use', 8], ['full', 31]] as const; // prettier-ignore

const permissions = {
  ...names,
  /** As a list, or as an object with a `true` for each. */
  fromBitMask(mask: number, asList?: boolean): readonly string[] | Record<string, boolean> {
    const held = bits.filter(([, bit]) => (mask & bit) === bit).map(([name]) => name);
    return asList === true ? held : Object.fromEntries(held.map((name) => [name, true]));
  },
};

export default permissions;
export { permissions as 'module.exports' };
