import { AppError, type Fault } from '#errors.ts';
import type { Draft } from './draft.ts';

/** Why one input failed, its nested objects included: missing rights before all else, then what refused it, then its faults. */
export function errorOf(drafts: readonly Draft[]): AppError {
  const refused = drafts.flatMap((draft) => draft.refused ?? []);
  const forbidden = refused.find((error) => error.code === 'forbidden') ?? refused[0];
  return forbidden ?? new AppError('invalid', undefined, { faults: drafts.flatMap(faultsOf).map(withoutIndex) });
}

/** The end of an atomic batch: every fault with the place of its object; of a single object, its own error. */
export function throwAtomic(failed: readonly (readonly Draft[])[], isSingle: boolean): never {
  if (isSingle) throw errorOf(failed.flat());
  const errors = failed.map((drafts) => ({ index: drafts[0]!.input, error: errorOf(drafts), drafts }));
  const forbidden = errors.filter(({ error }) => error.code === 'forbidden');
  const told = forbidden.length > 0 ? forbidden : errors;
  const faults = told.flatMap(({ index, error, drafts }): readonly Fault[] =>
    error.code === 'invalid' ? drafts.flatMap(faultsOf) : [{ index, code: error.code, message: error.publicText }],
  );
  throw new AppError(forbidden.length > 0 ? 'forbidden' : 'invalid', forbidden[0]?.error.message, { faults });
}

const faultsOf = (draft: Draft): readonly Fault[] => draft.faults;

const withoutIndex = ({ property, code, message }: Fault): Fault => ({
  ...(property === undefined ? {} : { property }),
  code,
  message,
});
