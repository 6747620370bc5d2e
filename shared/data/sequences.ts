import type { Formula } from '#meta/class.ts';
import type { ObjectStore } from '#stores/object-store.ts';

const counterOf = (sequence: string): string => `sequence.${sequence}`;

/** The numbers that evaluating the formulas once each may take: a trip per sequence. */
export async function reserveSequences(
  formulas: readonly Pick<Formula, 'sequences'>[],
  objects: Pick<ObjectStore, 'reserve'>,
): Promise<(sequence: string) => number | null> {
  const wanted = new Map<string, number>();
  for (const sequence of formulas.flatMap((formula) => formula.sequences)) {
    wanted.set(sequence, (wanted.get(sequence) ?? 0) + 1);
  }
  const pools = new Map<string, { next: number; readonly end: number }>();
  for (const [sequence, count] of wanted) {
    const first = await objects.reserve(counterOf(sequence), count);
    pools.set(sequence, { next: first, end: first + count });
  }
  return (sequence) => {
    const pool = pools.get(sequence);
    return pool && pool.next < pool.end ? pool.next++ : null;
  };
}
