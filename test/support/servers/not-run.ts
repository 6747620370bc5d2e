const cases: string[] = [];

/** Leaves a case out because the server cannot do what it is about; the run says so at its end. */
export function notRun(test: Mocha.Context, reason: string): never {
  cases.push(`${test.test?.fullTitle() ?? 'a case'}: ${reason}`);
  return test.skip();
}

/** A line for every case that was left out, and why. */
export const reportNotRun = (): string =>
  cases.length === 0 ? '' : `not run on these servers:\n${cases.map((one) => `  ${one}\n`).join('')}`;
