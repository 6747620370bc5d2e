const errors = {
  NO_CLASS: 'meta-repo.nc',
  NO_ATTR: 'meta-repo.na',
  NO_VIEW: 'meta-repo.nv',
  NO_WORKFLOW: 'meta-repo.nw',
} as const;

export default errors;
export { errors as 'module.exports' };
