import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { exportLines, type ExportOptions } from '#transfer/export.ts';
import { createFaultFile, type TransferFault } from '#transfer/faults.ts';
import { importLines } from '#transfer/import.ts';
import type { ImportDeps, ImportOptions } from '#transfer/import-options.ts';
import type { Data } from './open-data.ts';

/** The text of an export, and what was counted. */
export async function exportText(data: Pick<Data, 'stores' | 'classes'>, options: Partial<ExportOptions> = {}) {
  const counts = { objects: 0, files: 0, accounts: 0, roles: 0, missing: 0 };
  const all = { accounts: true, hashes: true, program: '0', ...options };
  let text = '';
  for await (const part of exportLines(all, { ...data.stores, classes: data.classes }, counts)) text += part;
  return { text, counts };
}

/** All but the header, which tells one export from another. */
export const bodyOf = (text: string): string => text.slice(text.indexOf('\n') + 1);

export const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown> & { doc: Record<string, unknown> });

export async function importText(
  data: Pick<Data, 'stores' | 'classes' | 'folder'>,
  text: string | Readable | Iterable<Buffer>,
  options: Partial<ImportOptions> = {},
  deps: Partial<ImportDeps> = {},
) {
  const all = { mode: 'fail', dryRun: false, accounts: true, restart: false, ...options } as const;
  const path = join(data.folder, 'faults.ndjson');
  const faults = createFaultFile(path, () => {});
  const source = text instanceof Readable ? text : Readable.from(typeof text === 'string' ? [Buffer.from(text)] : text);
  try {
    const imported = await importLines(source, all, { ...data.stores, classes: data.classes, faults, ...deps });
    const told = await readFile(path, 'utf8').catch(() => '');
    return { ...imported, faults: linesOf(told === '' ? '[]' : told).filter((one) => 'line' in one) as unknown as readonly TransferFault[] }; // prettier-ignore
  } finally {
    await faults.close();
  }
}
