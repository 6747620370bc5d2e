const exact = /^-?\d+(\.\d+)?([eE][+-]?\d{1,4})?$/;

/** A JSON number, or a text that is exactly one (of forms and queries); undefined otherwise. */
export function readNumber(input: unknown): number | undefined {
  const number = typeof input === 'string' && exact.test(input) ? Number(input) : input;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  return number === 0 ? 0 : number; // not -0, which JSON has no word for
}

/** The number as text without exponent problems: what `readNumber` takes. */
export const isNumberText = (text: string): boolean => exact.test(text);
