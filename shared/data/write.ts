import { setTimeout as delay } from 'node:timers/promises';
import type { Identity } from '#accounts/identity.ts';
import { AppError } from '#errors.ts';
import { createDraft, type Batch, type Draft, type Rules } from './draft.ts';
import type { Change } from './repository.ts';
import type { Sight } from './sight.ts';
import { refreshCached } from './steps/calculate.ts';
import { checkReferences } from './steps/check-references.ts';
import { checkRights } from './steps/check-rights.ts';
import { settleAll } from './steps/expand-nested.ts';
import { fill } from './steps/fill.ts';
import { findClashes } from './steps/find-clashes.ts';
import { keepContent } from './steps/keep-content.ts';
import { store } from './steps/store.ts';
import type { WriterDeps } from './writer-deps.ts';
import { runHooks } from './steps/run-hooks.ts';
import { errorOf, throwAtomic } from './write-errors.ts';

export interface WriteHow {
  readonly as: Identity | undefined;
  readonly sight: Sight;
  readonly mode: 'atomic' | 'partial';
  readonly rules: Rules;
  readonly dryRun: boolean;
}

/** One per change, in order. */
export type WriteResult = { readonly draft: Draft } | { readonly error: AppError };

/** Most times a change is tried that loses against others; each try starts from what they left. */
const mostTries = 25;

/** The steps of a write, each over the whole batch: a handful of trips to the store, whether for one object or a thousand. */
export function createWriter(deps: WriterDeps) {
  return async (changes: readonly Change[], how: WriteHow): Promise<readonly WriteResult[]> => {
    const results: WriteResult[] = [];
    let pending = changes.map((_, input) => input);
    for (let tries = 0; pending.length > 0; tries++) {
      if (tries === mostTries) throw new AppError('conflict', `${pending.length} changes kept losing against others`);
      if (tries > 2) await delay(Math.random() * tries * 2);
      const again = await attempt(changes, pending, how, results, deps);
      pending = how.mode === 'atomic' && again.size > 0 ? pending : [...again];
    }
    return results;
  };
}

async function attempt(
  changes: readonly Change[],
  pending: readonly number[],
  how: WriteHow,
  results: WriteResult[],
  deps: WriterDeps,
): Promise<Set<number>> {
  const { as, sight, rules, dryRun, mode } = how;
  const roots = pending.map((input) => toDraft(changes[input]!, input, deps));
  const batch: Batch = {
    drafts: roots,
    as,
    sight,
    now: deps.clock(),
    rules,
    isAtomic: mode === 'atomic',
    dryRun,
    unknown: new Set(),
  };

  /** Takes the inputs out that have failed; of an atomic batch that is the end. */
  const settleFailures = async (isLate: boolean): Promise<void> => {
    const failed = new Set(
      batch.drafts.filter((draft) => draft.refused ?? draft.faults.length).map((one) => one.input),
    );
    if (failed.size === 0) return;
    const theirs = batch.drafts.filter((draft) => failed.has(draft.input));
    if (isLate) await findClashes(theirs, deps);
    const byInput = Map.groupBy(theirs, (draft) => draft.input);
    if (mode === 'atomic') throwAtomic([...byInput.values()], changes.length === 1);
    for (const [input, drafts] of byInput) results[input] = { error: errorOf(drafts) };
    batch.drafts = batch.drafts.filter((draft) => !failed.has(draft.input));
  };

  await settleAll(roots, batch, deps, async () => {
    await checkRights(roots, batch);
    await settleFailures(false);
    await runHooks(batch, deps);
  });
  fill(batch, deps);
  logUnknown(batch, deps);
  if (rules.seeds) forgive(batch, deps);
  await checkRights(
    batch.drafts.filter((draft) => draft.nested),
    batch,
  );
  await checkReferences(batch, deps);
  await settleFailures(true);
  await refreshCached(batch, deps);
  if (dryRun || batch.drafts.some((draft) => draft.files.size > 0)) {
    await findClashes(batch.drafts, deps);
    await settleFailures(false);
  }
  await keepContent(batch, deps);
  const again = dryRun ? new Set<number>() : await store(batch.drafts, mode, deps);
  if (again.size > 0 && mode === 'atomic') return again;
  batch.drafts = batch.drafts.filter((draft) => !again.has(draft.input));
  await settleFailures(true);
  for (const draft of batch.drafts) if (!draft.nested) results[draft.input] = { draft };
  return again;
}

function toDraft(change: Change, input: number, { classes }: WriterDeps): Draft {
  const asked = classes.get(change.className);
  if (!asked || asked.isStruct) throw new AppError('not_found', `there is no class ${change.className}`);
  const { op, values, id, expect, unlocked } = change;
  return createDraft({ input, op, asked, values, told: id, expect, unlocked });
}

function logUnknown({ unknown }: Batch, { log }: WriterDeps): void {
  if (unknown.size > 0) log.debug('names that are no attribute were left out', { names: [...unknown].slice(0, 50) });
}

/** Without these there is no object; all else in a trusted file is a warning. */
const fatal: ReadonlySet<string> = new Set(['abstract', 'exists', 'key']);

function forgive({ drafts }: Batch, { log }: WriterDeps): void {
  for (const draft of drafts) {
    if (draft.faults.length === 0 || draft.faults.some((fault) => fatal.has(fault.code))) continue;
    const faults = draft.faults.splice(0).map(({ property, message }) => `${property ?? ''} ${message}`);
    log.warn('a seed breaks rules of its class', { of: draft.itsClass.code, id: draft.id, faults });
  }
}
