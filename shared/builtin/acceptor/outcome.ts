import { AppError, type Fault } from '#errors.ts';
import type { Outcome } from '#data/repository.ts';

/** What is answered for one object of a partial batch. */
export type Result =
  | { readonly status: number; readonly object: unknown }
  | { readonly status: number; readonly errors: readonly Omit<Fault, 'index'>[] };

export const failed = (error: AppError): Result => ({
  status: error.status,
  errors: error.faults.length > 0 ? error.faults.map(withoutIndex) : [{ code: error.code, message: error.publicText }],
});

export const failedBy = (fault: Fault): Result => ({ status: 400, errors: [withoutIndex(fault)] });

export const errorIn = (outcome: Outcome): AppError | undefined => ('error' in outcome ? outcome.error : undefined);

const withoutIndex = ({ property, code, message }: Fault): Omit<Fault, 'index'> => ({
  ...(property === undefined ? {} : { property }),
  code,
  message,
});
