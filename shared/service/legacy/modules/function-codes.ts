/** Operators of filters and formulas by their old names. */
// prettier-ignore
const codes = {
  EQUAL: 'eq', NOT_EQUAL: 'ne', EMPTY: 'empty', NOT_EMPTY: 'nempty', LIKE: 'like', CONTAINS: 'contains', IN: 'in',
  LESS: 'lt', GREATER: 'gt', LESS_OR_EQUAL: 'lte', GREATER_OR_EQUAL: 'gte', AND: 'and', OR: 'or', NOT: 'not', IF: 'if',
  ADD: 'add', SUB: 'sub', MUL: 'mul', DIV: 'div', ROUND: 'round', MIN: 'min', MAX: 'max', AVG: 'avg', SUM: 'sum',
  COUNT: 'count', CONCAT: 'concat', SUBSTR: 'substr', UPPER: 'upper', LOWER: 'lower', NOW: 'now', DATE: 'date',
  DATE_ADD: 'dateAdd', DATE_DIFF: 'dateDiff', DATE_STR: 'dateFormat', GET: 'get', SIZE: 'size', NEXT: 'next',
} as const;

export default codes;
export { codes as 'module.exports' };
