import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createFaultFile, type TransferFault } from '#transfer/faults.ts';
import { importLines, type Imported } from '#transfer/import.ts';
import { modes, type ImportMode } from '#transfer/store-batch.ts';
import type { Command, Terminal } from './command.ts';
import { interrupted } from './interrupted.ts';
import { openGround, prepareGround } from './open-ground.ts';
import { asBytes, createProgress } from './progress.ts';
import { isGiven, optionOf, textOf } from './read-arguments.ts';
import { readSelection } from './selection.ts';

const goesOn = 'Stopped. The same command goes on from here';
const shownFaults = 10;
const pieceSize = 256 * 1024; // bytes read at once

const isMode = (word: string): word is ImportMode => (modes as readonly string[]).includes(word);

export const importData: Command = {
  usage: 'import <file>',
  about:
    'Brings an export into the stores (`-`: from standard input). Stopped or killed, the same command goes on. Faults are written to <file>.faults.ndjson',
  options: {
    '--class <code...>': 'objects of these classes alone, and of what descends from them',
    '--filter <json>': 'objects that fulfil it (docs/filters.md); goes with --class',
    '--mode <mode>': 'an object that is there with other content: fail (default: a fault), skip (it stays), replace',
    '--no-accounts': 'leave accounts and roles of the file out',
    '--dry-run': 'say what would happen; store nothing',
    '--restart': 'begin anew, even though an import of the file was stopped on the way',
  },
  async run(args, context) {
    const { terminal } = context;
    const file = textOf(args, 'file');
    const selection = readSelection(args, terminal);
    const mode = optionOf(args, 'mode') ?? 'fail';
    if (!isMode(mode)) terminal.warn(`--mode is one of ${modes.join(', ')}`);
    if (!selection || !isMode(mode)) return 2;
    const fromInput = file === '-';
    const total = fromInput ? undefined : (await stat(file)).size;
    await using ground = await openGround(context);
    const dryRun = isGiven(args, 'dryRun');
    if (!dryRun) await prepareGround(ground);
    const progress = createProgress(process.stderr, terminal.json, asBytes);
    const faultPath = `${fromInput ? 'import' : file}${dryRun ? '.dry-run' : ''}.faults.ndjson`;
    const faults = createFaultFile(
      faultPath,
      teller(terminal, () => progress.end()),
    );
    const source = fromInput ? process.stdin : createReadStream(file, { highWaterMark: pieceSize });
    using stop = interrupted();
    try {
      const options = {
        ...selection,
        mode,
        dryRun,
        accounts: args['accounts'] !== false,
        restart: isGiven(args, 'restart'),
      };
      const imported = await importLines(source, options, {
        ...ground.stores,
        classes: ground.classes,
        faults,
        progress: (bytes) => progress.show(bytes, total),
        signal: stop.signal,
      });
      progress.end();
      return report(imported, { terminal, dryRun, faultPath });
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      terminal.warn(goesOn);
      return 1;
    } finally {
      progress.end();
      source.destroy();
      await faults.close();
    }
  },
};

/** The first faults are said at once. */
function teller(terminal: Terminal, clear: () => void): (fault: TransferFault) => void {
  let told = 0;
  return ({ line, id, message }) => {
    told += 1;
    if (told > shownFaults) return;
    clear();
    terminal.warn(`line ${line}${id === undefined ? '' : ` (${id})`}: ${message}`);
    if (told === shownFaults) terminal.warn('… more of them are in the file of faults alone');
  };
}

function report(
  { counts, resumedAfter, stoppedAfter }: Imported,
  { terminal, dryRun, faultPath }: { terminal: Terminal; dryRun: boolean; faultPath: string },
): number {
  terminal.say({
    ...(resumedAfter === undefined ? {} : { wentOnAfterLine: resumedAfter }),
    ...(stoppedAfter === undefined ? {} : { stoppedAfterLine: stoppedAfter }),
    [dryRun ? 'wouldImport' : 'imported']: counts,
    ...(counts.faults > 0 ? { faultsIn: faultPath } : {}),
  });
  if (stoppedAfter !== undefined && !dryRun) terminal.warn(goesOn);
  return counts.faults > 0 || stoppedAfter !== undefined ? 1 : 0;
}
