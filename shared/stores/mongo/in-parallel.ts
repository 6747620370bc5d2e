/** Runs the job for each item, a few at a time, and gives the answers in order. The first failure is the answer. */
export async function inParallel<T, R>(items: readonly T[], job: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const ahead = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of ahead) answers[index] = await job(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return answers;
}

const atOnce = 16;
