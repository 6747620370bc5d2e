const types = { LOCAL: 'local', SYSTEM: 'system' } as const;

export default types;
export { types as 'module.exports' };
