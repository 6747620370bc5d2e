/** Ends what is under way at the first Ctrl C or SIGTERM; a second one ends the process at once. */
export function interrupted(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
    },
  };
}
