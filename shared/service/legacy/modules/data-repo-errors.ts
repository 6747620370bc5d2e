const errors = {
  ITEM_EXISTS: 'data-repo.exists',
  ITEM_EXISTS_MULTI: 'data-repo.iem',
  ITEM_NOT_FOUND: 'data-repo.inf',
  EXISTS_IN_COL: 'data-repo.eic',
  BAD_PARAMS: 'data-repo.bp',
  NO_COLLECTION: 'data-repo.nocol',
  INVALID_META: 'data-repo.im',
  FAIL: 'data-repo.fail',
  MISSING_REQUIRED: 'data-repo.mr',
  NO_KEY_SPEC: 'data-repo.nkv',
  PERMISSION_LACK: 'data-repo.noperm',
} as const;

export default errors;
export { errors as 'module.exports' };
