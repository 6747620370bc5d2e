import { contentsOf, createAttributeNames } from './attributes.ts';
import { checkItem, type Item } from './check-item.ts';
import { createChoice } from './choice.ts';
import type { ImportCounts } from './cursor.ts';
import type { TransferFault } from './faults.ts';
import { parseLine, rememberedContents, type ContentLine, type EndLine, type ItemLine } from './format.ts';
import type { ImportDeps, ImportOptions } from './import-options.ts';
import { createCounterRaiser } from './raise-counters.ts';
import type { Line, LineReader } from './read-lines.ts';
import { createRecent } from './recent.ts';
import { storeBatch } from './store-batch.ts';
import { isThere, takeContent } from './take-content.ts';

const batchItems = 500;
const batchBytes = 4 * 1024 * 1024;
const contentBytes = 64 * 1024 * 1024; // of files, until it is noted how far it has come

/** Takes the lines after the header. `save` is called when all that was read is stored. False: it was stopped. */
export async function takeLines(
  reader: LineReader,
  longestLine: number,
  options: ImportOptions,
  deps: ImportDeps,
  counts: ImportCounts,
  save: () => Promise<void>,
): Promise<boolean> {
  const { classes, objects, files, signal } = deps;
  const { mode, dryRun } = options;
  const names = createAttributeNames();
  const contents = createRecent(rememberedContents);
  const wanted = createChoice(options, classes);
  const raise = createCounterRaiser(objects);
  const batch = new Map<string, Item>();
  let [bytes, batched, sinceSaved] = [0, 0, 0];
  let broken: string | undefined;
  let end: EndLine | undefined;
  let isStopped = false;

  const add = (fault: TransferFault): void => {
    counts.faults += 1;
    deps.faults.add(fault);
  };
  const fault = ({ line, kind, id, itsClass }: Item, code: TransferFault['code'], message: string): void =>
    add({ line, kind, ...(itsClass ? { class: itsClass.code } : {}), id, code, message });

  async function flush(): Promise<void> {
    const items = [...batch.values()];
    for (const item of items) {
      for (const hash of item.itsClass ? contentsOf(item.doc, names.files(item.itsClass)) : []) {
        if (contents.has(hash) || (await isThere(hash, files))) continue;
        fault(item, 'missing-content', `is stored, but its file ${hash} is not there`);
      }
    }
    await storeBatch(items, { ...deps, names, mode, dryRun, counts, fault });
    if (!dryRun) await raise(items);
    batch.clear();
    [batched, sinceSaved] = [0, 0];
    await save();
    deps.progress?.(bytes);
  }

  async function takeItem(item: ItemLine, line: Line): Promise<void> {
    const checked = checkItem(item, line.number, classes);
    if ('fault' in checked) {
      const about = {
        line: line.number,
        kind: item.kind,
        ...('class' in item ? { class: item.class } : {}),
        id: item.id,
      };
      return add({ ...about, ...checked.fault });
    }
    if (!wanted.item(checked)) return;
    const key = `${checked.collection}/${checked.id}`;
    if (batch.has(key) || batched + line.bytes > batchBytes || batch.size >= batchItems) {
      reader.back();
      await flush();
      await reader.next();
    }
    batch.set(key, checked);
    batched += line.bytes;
  }

  async function take(line: Line): Promise<void> {
    const { number, text } = line;
    if (text === '') return;
    const parsed = text === undefined ? { fault: `is longer than ${longestLine} bytes` } : parseLine(text);
    if ('fault' in parsed) return add({ line: number, code: 'form', message: parsed.fault });
    if (parsed.kind === 'file') return takeFile(parsed, number);
    if (parsed.kind === 'end') end = parsed;
    else if (parsed.kind === 'header') add({ line: number, code: 'form', message: 'is a second header' });
    else await takeItem(parsed, line);
  }

  async function takeFile(part: ContentLine, line: number): Promise<void> {
    if (!wanted.content(part) || (part.part > 0 && broken === part.hash)) return;
    const taken = await takeContent(part, reader, files, { store: !dryRun, signal });
    isStopped = taken === 'stopped';
    if (taken === 'stopped') return;
    sinceSaved += taken.bytes;
    bytes += taken.bytes;
    broken = taken.fault === undefined ? undefined : part.hash;
    if (taken.fault !== undefined)
      return add({ line, kind: 'file', id: part.hash, code: 'content', message: taken.fault });
    contents.add(part.hash);
    counts.files += 1;
    if (sinceSaved > contentBytes) await flush();
  }

  /** Stopped, the source may end in the middle or never. */
  const next = (): Promise<Line | undefined> =>
    reader.next().catch((error: unknown) => {
      if (signal?.aborted) return undefined;
      throw error;
    });

  for (let line = await next(); line; line = await next()) {
    if (signal?.aborted) break;
    bytes += line.bytes;
    await take(line);
    if (isStopped) return false; // within a file: the next import begins it anew
    if (end) break;
  }
  // it is never noted that the last line was read: whoever goes on finds it again
  if (end || signal?.aborted) reader.back();
  await flush();
  if (signal?.aborted && !end) return false;
  if (!end)
    add({ line: reader.position().line, code: 'cut-off', message: 'the file ends early: its last line is missing' });
  for (const [name, last] of Object.entries(end?.counters ?? {})) {
    if (wanted.counter(name) && !dryRun) await objects.raise(name, last);
  }
  await deps.faults.flush();
  return true;
}
