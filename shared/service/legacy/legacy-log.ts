import type { Log } from '#log.ts';

/** `sysLog` of old services: takes errors and any other value as a message. */
export interface LegacyLog {
  log(message: unknown): void;
  info(message: unknown): void;
  warn(message: unknown): void;
  error(message: unknown): void;
  debug(message: unknown): void;
}

export function createLegacyLog(log: Log): LegacyLog {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message: unknown) => {
    if (message instanceof Error) log[level](message.message, { error: message });
    else log[level](typeof message === 'string' ? message : JSON.stringify(message));
  };
  return { log: write('info'), info: write('info'), warn: write('warn'), error: write('error'), debug: write('debug') };
}
