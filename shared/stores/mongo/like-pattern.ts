/** A text as a pattern for itself. RegExp.escape writes `\u` escapes, which MongoDB's PCRE refuses; a null character would end it. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');

/** As the embedded store does it: every alphabet, the final sigma is a sigma. */
const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

const dotted = 'İ'; // the only letter whose small form is two: i and a dot above
const dot = '\u0307';

/** Small letter → the other letters that fold to it. PCRE's own rule (`i`) takes ſ for s and does not know İ. */
function readVariants(): ReadonlyMap<string, string> {
  const variants = new Map<string, string>();
  for (let code = 0x41; code <= 0x1ffff; code++) {
    const letter = String.fromCodePoint(code);
    const small = fold(letter);
    if (small !== letter && letter !== dotted) variants.set(small, (variants.get(small) ?? '') + letter);
  }
  return variants;
}
const variants = readVariants();

/** Matches every text that holds this one, whatever the case: exactly those whose small letters hold its small letters. */
export function likePattern(text: string): string {
  const letters = Array.from(fold(text));
  let pattern = '';
  for (const [index, letter] of letters.entries()) {
    const others = variants.get(letter) ?? '';
    const first = letter === dot && index === 0 ? dotted : '';
    const last = letter === 'i' && index === letters.length - 1 ? dotted : '';
    if (letter === 'i' && letters[index + 1] === dot) pattern += `(?:[iI]${dot}|${dotted})`;
    else if (letter === dot && letters[index - 1] === 'i') continue;
    else pattern += others + first + last === '' ? literal(letter) : `[${letter}${others}${first}${last}]`;
  }
  return pattern;
}
