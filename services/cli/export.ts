import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportLines, type ExportCounts } from '#transfer/export.ts';
import type { Command } from './command.ts';
import { interrupted } from './interrupted.ts';
import { openGround, programVersion } from './open-ground.ts';
import { asCount, createProgress } from './progress.ts';
import { given, isGiven, optionOf } from './read-arguments.ts';
import { readSelection } from './selection.ts';

export const exportData: Command = {
  usage: 'export [file]',
  about: 'Writes the objects as NDJSON, to the file or standard output; the application may serve meanwhile',
  options: {
    '--class <code...>': 'objects of these classes alone, and of what descends from them',
    '--filter <json>': 'objects that fulfil it (docs/filters.md); goes with --class',
    '--accounts': 'accounts and roles too; never tokens and sessions',
    '--hashes': 'password hashes too',
    '--overwrite': 'the file may exist',
  },
  async run(args, context) {
    const { terminal } = context;
    const selection = readSelection(args, terminal);
    if (!selection) return 2;
    const file = optionOf(args, 'file');
    await using ground = await openGround(context);
    const { stores, classes } = ground;
    const progress = createProgress(process.stderr, terminal.json, asCount);
    const counts: ExportCounts = { objects: 0, files: 0, accounts: 0, roles: 0, missing: 0 };
    const options = { ...selection, accounts: isGiven(args, 'accounts'), hashes: isGiven(args, 'hashes') };
    const deps = { ...stores, classes, progress: (done: number, total: number) => progress.show(done, total) };
    const lines = exportLines({ ...options, program: programVersion() }, deps, counts);
    using stop = interrupted();
    try {
      if (file === undefined) await pipeline(Readable.from(lines), process.stdout, { end: false, signal: stop.signal });
      else await writeWhole(file, lines, isGiven(args, 'overwrite'), stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      progress.end();
      terminal.warn('Stopped; nothing was kept');
      return 1;
    }
    progress.end();
    const { missing, ...done } = counts;
    const facts = { exported: done, ...given('file', file), ...(missing > 0 ? { missingFiles: missing } : {}) };
    if (file !== undefined) terminal.say(facts);
    else terminal.warn(JSON.stringify(facts));
    if (missing > 0) terminal.warn(`${missing} files that objects name are not in the store`);
    return missing > 0 ? 1 : 0;
  },
};

/** The file has its name once it is whole and durable. */
async function writeWhole(
  file: string,
  lines: AsyncIterable<string>,
  mayExist: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (!mayExist) await (await open(file, 'wx', 0o600)).close();
  const unfinished = `${file}.unfinished`;
  try {
    const out = createWriteStream(unfinished, { mode: 0o600, flush: true });
    await pipeline(Readable.from(lines), out, { signal });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (!mayExist) await rm(file, { force: true });
    throw error;
  }
}
