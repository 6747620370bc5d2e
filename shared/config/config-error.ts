/** One thing wrong with the configuration. `path` is where in deploy.json, or a name of the environment; '' is the whole file. */
export interface ConfigFault {
  readonly file: string;
  readonly path: string;
  readonly message: string;
}

/** All faults of a configuration at once; the message has a line for each. Nothing is started. */
export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[], cause?: unknown) {
    super(faults.map(faultLine).join('\n'), cause === undefined ? undefined : { cause });
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

export const faultLine = ({ file, path, message }: ConfigFault): string =>
  [file, path, message].filter((part) => part !== '').join(': ');
