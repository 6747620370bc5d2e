import { queryFault, quote } from './fault.ts';

/** Letters in any script, digits and signs without a meaning of their own stand for themselves. */
const special = /[.?+*()[\]{}|^$\\]/;

/**
 * The part of regular expressions that is offered: literal text, `^` at the start, `$` at the end, `.*` between, a
 * backslash before a sign. Anything else is a 400: no pattern of a user ever runs.
 */
export function parseRegex(source: string): { op: 'match'; pieces: readonly string[]; start: boolean; end: boolean } {
  const refuse = () => queryFault(`$regex takes literal text with ^, $ and .*, not ${quote(source)}`);
  const start = source.startsWith('^');
  const pieces = [''];
  let end = false;
  for (let at = start ? 1 : 0; at < source.length; at += 1) {
    const sign = source[at]!;
    const last = pieces.length - 1;
    if (sign === '$' && at === source.length - 1) end = true;
    else if (sign === '.' && source[at + 1] === '*') {
      pieces.push('');
      at += 1;
    } else if (sign === '\\') {
      const escaped = source[(at += 1)];
      if (escaped === undefined || /[\p{L}\p{N}]/u.test(escaped)) throw refuse();
      pieces[last] += escaped;
    } else if (special.test(sign)) throw refuse();
    else pieces[last] += sign;
  }
  return normal(pieces, start, end);
}

/** Without pieces that are empty: `^.*a` is not anchored. One piece always remains. */
function normal(pieces: readonly string[], start: boolean, end: boolean) {
  const open = pieces.length > 1 && pieces[0] === '';
  const loose = pieces.length > 1 && pieces.at(-1) === '';
  const real = pieces.filter((piece) => piece !== '');
  return {
    op: 'match' as const,
    pieces: real.length === 0 ? [''] : real,
    start: start && !open,
    end: end && !loose,
  };
}
