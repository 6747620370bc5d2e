import type { Log } from '#log.ts';

/** A log that writes its messages into a list. */
export function createNotes(lines: string[]): Log {
  const note = (message: string): void => void lines.push(message);
  const log: Log = { debug: note, info: note, warn: note, error: note, writes: () => true, with: () => log };
  return log;
}
