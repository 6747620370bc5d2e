export interface RunningApplication {
  /** A path of deploy.json's kind as a path of this machine. */
  toAbsolute(path: string): string;
  /** Components by name, of the application or one of its modules. */
  context(name: string): Readonly<Record<string, unknown>> | undefined;
}

/**
 * Old code asks `require('core/di')` with nothing handed in, so what answers must be found without: the one place with state
 * of its own. A process runs one application; the latest one answers.
 */
const running: RunningApplication[] = [];

export function keepApplication(application: RunningApplication): () => void {
  running.push(application);
  return () => void running.splice(running.indexOf(application), 1);
}

export const runningApplication = (): RunningApplication | undefined => running.at(-1);
