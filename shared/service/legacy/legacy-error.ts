import { AppError, type Fault } from '#errors.ts';
import { IonError } from './ion-error.ts';

/** What the repository refuses, by the codes that old services look for. */
function codeOf({ code, faults }: AppError, ofClass: boolean): string | undefined {
  const has = (word: RegExp): boolean => faults.some((fault) => word.test(fault.code));
  switch (code) {
    case 'not_found':
      return ofClass ? 'data-repo.inf' : 'meta-repo.nc';
    case 'forbidden':
      return 'data-repo.noperm';
    case 'conflict':
      return 'data-repo.exists';
    case 'invalid':
      return has(/unique|exists/) ? 'data-repo.exists' : has(/required|null/) ? 'data-repo.mr' : 'data-repo.bp';
    case 'bad_request':
      return 'data-repo.bp';
    default:
      return undefined;
  }
}

const faultText = ({ property, message }: Fault): string =>
  property === undefined ? message : `${property}: ${message}`;

/** An error of the repository as old code knows it; what is no refusal stays what it is. @param ofClass the class exists */
export function toIonError(thrown: unknown, ofClass: boolean): unknown {
  if (!(thrown instanceof AppError)) return thrown;
  const code = codeOf(thrown, ofClass);
  if (code === undefined) return thrown;
  const text = thrown.faults.length > 0 ? thrown.faults.map(faultText).join('; ') : undefined;
  return new IonError(code, { ...(text === undefined ? {} : { message: text }), faults: thrown.faults }, thrown);
}
