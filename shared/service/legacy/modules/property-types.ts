// prettier-ignore
const types = {
  STRING: 0, TEXT: 1, HTML: 2, URL: 3, IMAGE: 4, FILE: 5, INT: 6, REAL: 7, DECIMAL: 8, DATETIME: 9, BOOLEAN: 10,
  PASSWORD: 11, GUID: 12, REFERENCE: 13, COLLECTION: 14, SET: 15, STRUCT: 16, CUSTOM: 17, USER: 18,
  PERIOD: 60, GEO: 100, FILE_LIST: 110, SCHEDULE: 210,
} as const;

export default types;
export { types as 'module.exports' };
