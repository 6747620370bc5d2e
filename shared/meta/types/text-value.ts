import type { Checked } from '../property.ts';

/** Text that every store keeps as it is: well-formed Unicode without NUL. Numbers are not turned into text. */
export function checkText(input: unknown): Checked {
  if (typeof input !== 'string') return { fault: 'must be text' };
  if (!input.isWellFormed()) return { fault: 'must be well-formed Unicode text' };
  if (input.includes('\0')) return { fault: 'must not hold a NUL character' };
  return { value: input };
}

/** A stored value as text, lists and objects as JSON. */
export const sameText = (stored: unknown): string => (typeof stored === 'string' ? stored : JSON.stringify(stored));

export const sameJson = (stored: unknown): unknown => stored;
