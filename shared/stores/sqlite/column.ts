import { AppError } from '#errors.ts';

/** A JSON path into the document, as an SQL literal. Names come from outside: what could end the quotes is refused. */
export function jsonPath(path: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  if (path === '' || /["\\\u0000-\u001f\u007f]/.test(path) || !path.isWellFormed()) {
    throw new AppError('bad_request', `not the name of an attribute: ${JSON.stringify(path)}`);
  }
  return `'$."${path.replaceAll("'", "''")}"'`;
}

/** The value of an attribute. An index serves a query only when both have this very text. */
export const column = (path: string): string => (path === '_id' ? 'id' : `doc ->> ${jsonPath(path)}`);

/** A substring match ignores case in every alphabet; SQLite's own functions know ASCII only. The final sigma is a sigma. */
export const fold = (value: unknown): string | null =>
  typeof value === 'string' ? value.toLowerCase().replaceAll('ς', 'σ') : null;
