interface Logger {
  [name: string]: unknown;
}

/** Base of old loggers: `info`, `log`, `warn`, `error` go to the methods with `_` before them, where there are any. */
const Logger = function (): void {} as unknown as { new (): Logger; readonly prototype: Logger };
for (const level of ['info', 'log', 'warn', 'error'])
  Logger.prototype[level] = function (this: Logger, message: unknown): void {
    const write = this[`_${level}`];
    if (typeof write === 'function') (write as (this: Logger, message: unknown) => void).call(this, message);
  };

export default Logger;
export { Logger as 'module.exports' };
