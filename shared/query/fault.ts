import { AppError } from '#errors.ts';

/** A 400 that says what is wrong with a filter, sort order or list of attributes. */
export const queryFault = (message: string, property?: string): AppError =>
  new AppError('bad_request', message, {
    faults: [{ ...(property === undefined ? {} : { property }), code: 'query', message }],
    publicText: message,
  });

/** A user's word in a message: quoted, not longer than 60 characters. */
export const quote = (word: unknown): string => {
  const text = typeof word === 'string' ? word : (JSON.stringify(word) ?? 'undefined');
  return `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`;
};
