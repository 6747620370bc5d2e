const errors = {
  WORKFLOW_NOT_FOUND: 'workflow.wnf',
  STATE_NOT_FOUND: 'workflow.snf',
  TRANS_NOT_FOUND: 'workflow.tnf',
  TRANS_IMPOSSIBLE: 'workflow.ti',
  TRANS_ERROR: 'workflow.te',
  CONDITION_VIOLATION: 'workflow.cv',
  NOT_IN_WORKFLOW: 'workflow.nw',
  IN_WORKFLOW: 'workflow.iw',
  ACCESS_DENIED: 'workflow.ad',
} as const;

export default errors;
export { errors as 'module.exports' };
