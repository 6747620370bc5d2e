import { AppError, type Fault } from '#errors.ts';
import type { Identity } from '#accounts/identity.ts';
import type { Change, Repository } from '#data/repository.ts';
import type { Classes } from '#meta/class.ts';
import { isFault, toChange } from './changes.ts';
import { failed, failedBy, type Result } from './outcome.ts';

export interface AcceptDeps {
  readonly repo: Repository;
  readonly classes: Pick<Classes, 'get'>;
  readonly unknown: 'ignore' | 'reject';
}

export interface AcceptHow {
  readonly as: Identity | undefined;
  readonly dryRun: boolean;
}

/** All or nothing: the stored objects, in order. The faults of an AppError carry the place of their object. */
export async function acceptAll(
  sent: readonly unknown[],
  how: AcceptHow,
  deps: AcceptDeps,
): Promise<readonly unknown[]> {
  const read = sent.map((one, index) => toChange(one, index, deps.classes));
  const faults = read.filter(isFault);
  const sound = read.flatMap((one, index) => (isFault(one) ? [] : [{ change: one, index }]));
  const changes = sound.map(({ change }) => change);
  const options = { ...how, mode: 'atomic', unknown: deps.unknown, dryRun: how.dryRun || faults.length > 0 } as const;
  const outcomes = await deps.repo.write(changes, options).catch((error: unknown) => {
    throw withPlaces(error, faults, (place) => sound[place]?.index ?? place);
  });
  if (faults.length > 0) throw new AppError('invalid', undefined, { faults });
  return outcomes.map((outcome) => ('item' in outcome ? outcome.item.presentPlain() : null));
}

/** Each for itself: one result per object, in order. */
export async function acceptEach(
  sent: readonly unknown[],
  how: AcceptHow,
  deps: AcceptDeps,
): Promise<readonly Result[]> {
  const read = sent.map((one, index) => toChange(one, index, deps.classes));
  const changes = read.filter((one): one is Change => !isFault(one));
  const outcomes = (await deps.repo.write(changes, { ...how, mode: 'partial', unknown: deps.unknown })).values();
  return read.map((one): Result => {
    if (isFault(one)) return failedBy(one);
    const outcome = outcomes.next().value!;
    if ('error' in outcome) return failed(outcome.error);
    return { status: 200, object: outcome.item.presentPlain() };
  });
}

/** The faults of a batch with those found before it, each with its object's place among all that were sent. */
function withPlaces(error: unknown, before: readonly Fault[], placeOf: (place: number) => number): unknown {
  if (!(error instanceof AppError) || error.status >= 500) return error;
  const own: readonly Fault[] =
    error.faults.length > 0 ? error.faults : [{ code: error.code, message: error.publicText }];
  const placed = own.map((fault) => ({ ...fault, index: placeOf(fault.index ?? 0) }));
  const isForbidden = error.code === 'forbidden';
  const faults = [...(isForbidden ? [] : before), ...placed].sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
  return new AppError(isForbidden ? 'forbidden' : 'invalid', error.message, { faults });
}
