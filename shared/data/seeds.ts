import { join } from 'node:path';
import type { Loaded } from '#meta/class.ts';
import type { Doc, Stored } from '#stores/object-store.ts';
import type { RepositoryDeps } from './create-repository.ts';
import type { Draft } from './draft.ts';
import { ledgerCollection } from './ledger.ts';
import { createPlans } from './plan.ts';
import type { Values } from './repository.ts';
import { listSeeds, readSeed, type Seed } from './seed-files.ts';
import { trustedSight } from './sight.ts';
import { createNeeds } from './want.ts';
import { createWriter, type WriteResult } from './write.ts';

export interface SeedDeps extends RepositoryDeps {
  /** Takes `___workflowStatus` of an imported object: workflow → `{stage}`. */
  readonly setStates?: (object: Loaded, states: Readonly<Record<string, unknown>>) => Promise<void>;
}

export interface Imported {
  readonly created: number;
  readonly updated: number;
  /** Changed in the store since they were imported: left alone. */
  readonly kept: number;
}

const groupSize = 500;
const statesName = '___workflowStatus';

/**
 * Brings the files of `<application>/data` into the store, each content once. An object that was changed or removed since
 * is left alone. Files are trusted: what breaks a rule is a warning, what the class lacks is left out.
 */
export async function importSeeds(application: string, deps: SeedDeps): Promise<Imported> {
  const folder = join(application, 'data');
  const files = await listSeeds(folder);
  const counts = { created: 0, updated: 0, kept: 0 };
  const references: Draft['references'][number][] = [];
  for (let start = 0; start < files.length; start += groupSize) {
    const read = await Promise.all(
      files.slice(start, start + groupSize).map((file) => readSeed(folder, file, deps.classes, deps.log)),
    );
    await importGroup(
      read.filter((one) => one !== undefined),
      { counts, references },
      deps,
    );
  }
  await warnOfDangling(references, deps);
  return counts;
}

interface Tally {
  readonly counts: { created: number; updated: number; kept: number };
  readonly references: Draft['references'][number][];
}

interface Due {
  readonly seed: Seed;
  readonly stored: Stored | undefined;
  readonly hasEntry: boolean;
}

async function importGroup(seeds: readonly Seed[], { counts, references }: Tally, deps: SeedDeps): Promise<void> {
  const due: Due[] = [];
  const kept: Due[] = [];
  for (const one of await findDue(seeds, deps)) (one.isOpen ? due : kept).push(one);
  for (const { seed, hasEntry } of kept) {
    counts.kept += 1;
    if (hasEntry) deps.log.warn('a seed was changed, and so was its object: the object stays', { file: seed.file });
  }
  const results = await write(due, deps);
  const entries = kept.map(({ seed, stored }) => entryOf(seed, stored?.revision ?? 0));
  for (const [place, { seed }] of due.entries()) {
    const result = results[place]!;
    if ('error' in result) {
      deps.log.warn('a seed could not be imported', {
        file: seed.file,
        faults: result.error.faults,
        error: result.error,
      });
      continue;
    }
    const { draft } = result;
    counts[draft.current ? 'updated' : 'created'] += 1;
    references.push(...draft.references);
    entries.push(entryOf(seed, draft.revision));
    const states = seed.values[statesName];
    if (typeof states === 'object' && states !== null) {
      await deps.setStates?.({ id: draft.id!, itsClass: draft.itsClass, doc: draft.doc }, states as Values);
    }
  }
  if (entries.length > 0) await deps.objects.write(entries, { atomic: true });
}

const entryId = ({ itsClass, id }: Seed): string => `${itsClass.collection}/${id}`;

const entryOf = (seed: Seed, revision: number) => {
  const doc: Doc = { hash: seed.hash, revision, file: seed.file };
  return { op: 'upsert', collection: ledgerCollection, id: entryId(seed), doc } as const;
};

/** Seeds whose content was not imported yet. Open: there is no object, or it is as the last import left it. */
async function findDue(
  seeds: readonly Seed[],
  { objects }: SeedDeps,
): Promise<readonly (Due & { readonly isOpen: boolean })[]> {
  const entries = await objects.get(ledgerCollection, seeds.map(entryId));
  const fresh = seeds.flatMap((seed, place) => {
    const entry = entries[place];
    return entry?.doc['hash'] === seed.hash ? [] : [{ seed, entry }];
  });
  const stored = new Map<Seed, Stored | undefined>();
  for (const [collection, group] of Map.groupBy(fresh, ({ seed }) => seed.itsClass.collection)) {
    const found = await objects.get(
      collection,
      group.map(({ seed }) => seed.id),
    );
    for (const [place, { seed }] of group.entries()) stored.set(seed, found[place]);
  }
  return fresh.map(({ seed, entry }) => {
    const now = stored.get(seed);
    const isOpen = entry ? now?.revision === entry.doc['revision'] : now === undefined;
    return { seed, stored: now, hasEntry: entry !== undefined, isOpen };
  });
}

async function write(due: readonly Due[], deps: SeedDeps): Promise<readonly WriteResult[]> {
  if (due.length === 0) return [];
  const limits = { file: Infinity, nested: Infinity };
  const clock = deps.clock ?? (() => new Date());
  const save = createWriter({ ...deps, plans: createPlans(), needs: createNeeds(), hooks: {}, limits, clock });
  const changes = due.map(({ seed, stored }) => ({
    op: 'save' as const,
    className: seed.itsClass.code,
    id: seed.id,
    values: Object.fromEntries(Object.entries(seed.values).filter(([name]) => name !== statesName)),
    expect: stored?.revision,
  }));
  const rules = { seeds: true, unknown: 'ignore' } as const;
  return save(changes, { as: undefined, sight: trustedSight, mode: 'partial', rules, dryRun: false });
}

async function warnOfDangling(references: Draft['references'], { objects, log }: SeedDeps): Promise<void> {
  for (const [collection, group] of Map.groupBy(references, ({ target }) => target.collection)) {
    const ids = [...new Set(group.flatMap((one) => one.ids))];
    for (let start = 0; start < ids.length; start += groupSize) {
      const asked = ids.slice(start, start + groupSize);
      const found = await objects.get(collection, asked);
      const missing = asked.filter((_, place) => !found[place]);
      if (missing.length > 0) log.warn('seeds refer to objects that do not exist', { of: collection, ids: missing });
    }
  }
}
