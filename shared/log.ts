import winston from 'winston';
import { redact } from './redact.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A structured log. `with` gives one that adds fields (such as the request id) to every line. */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  with(fields: Fields): Log;
}

const levels = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof levels)[number];

export interface LogOptions {
  readonly level: Level;
  /** `json`: a line of JSON; `text`: for a person at a terminal. */
  readonly form: 'json' | 'text';
}

/** What a client sent makes no lines of its own and does not speak to the terminal. */
const visible = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

const text = winston.format.printf(({ level, message, time, ...fields }) => {
  const more = Object.entries(fields).map(
    ([name, value]) => `${name}=${visible(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  return [String(time).slice(11, 19), level, message, ...more].join(' ');
});

const prepare = winston.format(
  (info) => redact({ ...info, time: new Date().toISOString() }) as winston.Logform.TransformableInfo,
);

/** Writes to standard error, so that what a command prints stays clean. Secrets are taken out (redact.ts). */
export function createLog({ level, form }: LogOptions): Log {
  const logger = winston.createLogger({
    level,
    format: winston.format.combine(prepare(), form === 'json' ? winston.format.json() : text),
    transports: [new winston.transports.Console({ stderrLevels: ['debug', 'info', 'warn', 'error'] })],
  });
  const least = levels.indexOf(level);
  const write = (at: Level, more: Fields, message: string, fields: Fields | undefined): void => {
    if (levels.indexOf(at) >= least) logger.log(at, message, { ...more, ...fields }); // winston would format what it then drops
  };
  const child = (more: Fields): Log => ({
    debug: (message, fields) => write('debug', more, message, fields),
    info: (message, fields) => write('info', more, message, fields),
    warn: (message, fields) => write('warn', more, message, fields),
    error: (message, fields) => write('error', more, message, fields),
    with: (fields) => child({ ...more, ...fields }),
  });
  return child({});
}

/** For places that must not write, such as tests. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
};
