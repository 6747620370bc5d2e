import type { Value } from '#stores/object-store.ts';
import type { Checked } from '../property.ts';

/** A list whose members pass `check`; a member that comes again is left out. */
export function checkList(input: unknown, check: (one: unknown) => Checked): Checked {
  if (!Array.isArray(input)) return { fault: 'must be a list' };
  const values = new Set<Value>();
  for (const [index, one] of input.entries()) {
    const checked = check(one);
    if ('fault' in checked) return { fault: `member ${index + 1} ${checked.fault}` };
    values.add(checked.value);
  }
  return { value: [...values] };
}
