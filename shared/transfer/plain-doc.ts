import type { Doc } from '#stores/object-store.ts';

/** An object as JSON has it, no list and no null. */
export const isPlainDoc = (value: unknown): value is Doc =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
