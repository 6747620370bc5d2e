/** Waits for something to be so. */
export async function until(what: () => unknown, milliseconds: number): Promise<void> {
  for (const end = performance.now() + milliseconds; !(await what());) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${what.toString()}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
