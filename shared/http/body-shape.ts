import { AppError } from '#errors.ts';

export interface ShapeLimits {
  readonly items: number;
  readonly depth: number;
}

/** Refuses a parsed body that is nested too deeply (bad_request) or has a list that is too long (too_large). */
export function checkShape(value: unknown, limits: ShapeLimits, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= limits.depth) {
    throw new AppError('bad_request', undefined, {
      publicText: `The body is nested deeper than ${limits.depth} levels`,
    });
  }
  if (Array.isArray(value) && value.length > limits.items) {
    throw new AppError('too_large', undefined, { publicText: `A list has more than ${limits.items} items` });
  }
  for (const held of Array.isArray(value) ? value : Object.values(value)) checkShape(held, limits, depth + 1);
}
