const errors = { HTTP_403: 'rest.backend.403', HTTP_404: 'rest.backend.404' } as const;

export default errors;
export { errors as 'module.exports' };
