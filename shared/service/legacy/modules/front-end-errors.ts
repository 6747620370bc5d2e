const errors = { ACCESS_DENIED: 'front-end.403' } as const;

export default errors;
export { errors as 'module.exports' };
