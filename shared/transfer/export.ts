import { randomUUID } from 'node:crypto';
import { classOf } from '#data/graph.ts';
import type { Class, Classes } from '#meta/class.ts';
import type { FileStore } from '#stores/file-store.ts';
import type { ObjectStore, Stored } from '#stores/object-store.ts';
import { contentsOf, createAttributeNames, without } from './attributes.ts';
import { contentLines } from './content-lines.ts';
import { formatVersion, rememberedContents, toLine, type Header, type ObjectLine } from './format.ts';
import { pagesOf } from './pages.ts';
import { createRecent, type Recent } from './recent.ts';
import { choose, type Chosen, type SelectionOptions } from './selection.ts';
import { accessLines, seedLines } from './system-collections.ts';

export interface ExportOptions extends SelectionOptions {
  /** Accounts and roles too. */
  readonly accounts: boolean;
  /** Password hashes too, of accounts and of objects. */
  readonly hashes: boolean;
  /** Version of the program. */
  readonly program: string;
}

export interface ExportDeps {
  readonly objects: Pick<ObjectStore, 'find' | 'get' | 'count' | 'counters'>;
  readonly files: Pick<FileStore, 'open'>;
  readonly classes: Pick<Classes, 'all' | 'get' | 'namespace'>;
  /** Is told how many objects were written, of how many. */
  readonly progress?: (done: number, total: number) => void;
}

export interface ExportCounts {
  objects: number;
  files: number;
  accounts: number;
  roles: number;
  /** Contents that objects name and the store does not have. */
  missing: number;
}

/**
 * The data of an installation as text of NDJSON (docs/moving-data.md), in bounded memory. Each object is whole; objects that
 * are written meanwhile may be in it or not. `counts` is filled on the way.
 */
export async function* exportLines(
  options: ExportOptions,
  deps: ExportDeps,
  counts: ExportCounts,
): AsyncGenerator<string> {
  const { objects, classes } = deps;
  const { accounts, hashes } = options;
  const chosen = choose(options, classes);
  const isWhole = options.classes === undefined && options.filter === undefined;
  yield toLine(headerOf(options, classes.namespace));
  if (accounts) {
    for await (const lines of accessLines(objects, hashes)) {
      counts.accounts += lines.filter(({ kind }) => kind === 'account').length;
      counts.roles += lines.filter(({ kind }) => kind === 'role').length;
      yield lines.map(toLine).join('');
    }
  }
  const totals = await Promise.all(chosen.map(({ collection, filter }) => objects.count(collection, filter)));
  const total = totals.reduce((sum, one) => sum + one, 0);
  for (const one of chosen) yield* objectLines(one, total, options, deps, counts);
  if (isWhole) for await (const lines of seedLines(objects)) yield lines.map(toLine).join('');
  yield toLine({ kind: 'end', counters: await countersOf(isWhole ? undefined : chosen, objects) });
}

const headerOf = ({ accounts, hashes, program, classes, filter }: ExportOptions, namespace: string): Header => ({
  kind: 'header',
  format: formatVersion,
  id: randomUUID(),
  namespace,
  program,
  made: new Date().toISOString(),
  ...(classes === undefined ? {} : { classes }),
  ...(filter === undefined ? {} : { filter }),
  accounts,
  hashes,
});

async function* objectLines(
  { collection, filter }: Chosen,
  total: number,
  { hashes }: ExportOptions,
  { objects, files, classes, progress }: ExportDeps,
  counts: ExportCounts,
): AsyncGenerator<string> {
  const names = createAttributeNames();
  const written = createRecent(rememberedContents);
  const root = classes.get(collection)!;
  for await (const page of pagesOf(objects, collection, filter)) {
    let text = '';
    for (const stored of page) {
      const itsClass = classOf(stored, root, classes);
      for (const hash of contentsOf(stored.doc, names.files(itsClass))) {
        if (isKnown(hash, written)) continue;
        const content = await files.open(hash);
        counts[content ? 'files' : 'missing'] += 1;
        if (!content) continue;
        yield text;
        text = '';
        for await (const line of contentLines(hash, collection, content)) yield toLine(line);
      }
      text += toLine(lineOf(stored, itsClass, hashes ? [] : names.passwords(itsClass)));
      if (text.length < longText) continue;
      yield text;
      text = '';
    }
    yield text;
    counts.objects += page.length;
    progress?.(counts.objects, total);
  }
}

const longText = 256 * 1024; // characters written at once

function isKnown(hash: string, written: Recent): boolean {
  const known = written.has(hash);
  written.add(hash);
  return known;
}

const lineOf = ({ id, revision, doc }: Stored, { code }: Class, secret: readonly string[]): ObjectLine => ({
  kind: 'object',
  class: code,
  id,
  revision,
  doc: without(doc, secret),
});

/** Counters of the chosen collections; undefined: all, those of sequences too. */
async function countersOf(
  chosen: readonly Chosen[] | undefined,
  objects: Pick<ObjectStore, 'counters'>,
): Promise<Readonly<Record<string, number>>> {
  const counters = [...((await objects.counters?.()) ?? [])];
  const own = counters.filter(([name]) => chosen?.some(({ collection }) => name.startsWith(`${collection}.`)) ?? true);
  return Object.fromEntries(own.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
