import { parse, parseAllDocuments, stringify } from 'yaml';

const load = (text: string): unknown => parse(text) as unknown;
const loadAll = (text: string, receive?: (document: unknown) => void): unknown => {
  const documents = parseAllDocuments(text).map((one) => one.toJS() as unknown);
  return receive === undefined ? documents : documents.forEach(receive);
};
const dump = (value: unknown): string => stringify(value);

/** js-yaml by the YAML parser of this installation; an application that brings its own js-yaml gets that. */
const yaml = { load, safeLoad: load, loadAll, safeLoadAll: loadAll, dump, safeDump: dump };

export default yaml;
export { yaml as 'module.exports' };
