import type { Readable } from 'node:stream';
import { AppError } from '#errors.ts';
import { createCursor, noCounts, type ImportCounts } from './cursor.ts';
import { formatVersion, parseLine, type Header } from './format.ts';
import type { ImportDeps, ImportOptions } from './import-options.ts';
import { createLineReader, type LineReader } from './read-lines.ts';
import { takeLines } from './take-lines.ts';

export interface Imported {
  readonly counts: ImportCounts;
  /** The line that an earlier import came to. */
  readonly resumedAfter: number | undefined;
  /** The line that it was stopped after; undefined: all was read. */
  readonly stoppedAfter: number | undefined;
}

const longestLine = 64 * 1024 * 1024; // bytes

/**
 * Brings an export into the stores, in bounded memory. What cannot be taken is a fault with its line; all else is stored.
 * Killed at any moment, the next import of the same file goes on, and the outcome is as without. A file of another
 * application or a newer format is a `conflict`, one that is no export a `bad_request`.
 */
export async function importLines(source: Readable, options: ImportOptions, deps: ImportDeps): Promise<Imported> {
  const reader = createLineReader(source, longestLine);
  deps.signal?.addEventListener('abort', () => source.destroy(), { once: true });
  const header = await readHeader(reader, deps.classes.namespace);
  const { classes, filter, mode, accounts, dryRun, restart } = options;
  const cursor = createCursor({ header, classes, filter, mode, accounts }, deps.objects);
  if (restart && !dryRun) await cursor.remove();
  const saved = dryRun ? undefined : await cursor.find(reader);
  await deps.faults.rewind(saved?.faultBytes ?? 0);
  const counts = saved?.counts ?? { ...noCounts };
  let line = saved?.line ?? 0;
  const isWhole = await takeLines(reader, longestLine, options, deps, counts, async () => {
    const faultBytes = await deps.faults.flush();
    if (!dryRun) line = await cursor.save({ counts, faultBytes }, reader);
  });
  if (isWhole && !dryRun) await cursor.remove();
  return { counts, resumedAfter: saved?.line, stoppedAfter: isWhole ? undefined : line };
}

async function readHeader(reader: LineReader, namespace: string): Promise<Header> {
  const text = (await reader.next())?.text;
  const header = text === undefined ? undefined : parseLine(text);
  const refuse = (code: 'bad_request' | 'conflict', publicText: string) =>
    new AppError(code, publicText, { publicText });
  if (!header || !('kind' in header) || header.kind !== 'header') {
    throw refuse('bad_request', 'The file is no export: its first line is no header');
  }
  if (header.format > formatVersion) {
    throw refuse(
      'conflict',
      `The file has format ${header.format}, this Portico reads up to ${formatVersion}: use a newer one`,
    );
  }
  if (header.namespace === namespace) return header;
  throw refuse('conflict', `The file holds data of the application ${header.namespace}, this one is ${namespace}`);
}
