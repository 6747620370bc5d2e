import winston from 'winston';
import { redact } from './redact.ts';

export type Fields = Readonly<Record<string, unknown>>;

const levels = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof levels)[number];

/** A structured log. `with` gives one that adds fields (such as the request id) to every line. */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  with(fields: Fields): Log;
  /** Whether lines of that level are written: for facts that are costly to gather. */
  writes(level: Level): boolean;
}

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

/** Of a class, since every request makes one: its methods are shared. */
class WinstonLog implements Log {
  readonly #logger: winston.Logger;
  readonly #least: number;
  readonly #fields: Fields;

  constructor(logger: winston.Logger, least: number, fields: Fields) {
    this.#logger = logger;
    this.#least = least;
    this.#fields = fields;
  }

  debug(message: string, fields?: Fields): void {
    this.#write('debug', message, fields);
  }

  info(message: string, fields?: Fields): void {
    this.#write('info', message, fields);
  }

  warn(message: string, fields?: Fields): void {
    this.#write('warn', message, fields);
  }

  error(message: string, fields?: Fields): void {
    this.#write('error', message, fields);
  }

  with(fields: Fields): Log {
    return new WinstonLog(this.#logger, this.#least, { ...this.#fields, ...fields });
  }

  writes(level: Level): boolean {
    return levels.indexOf(level) >= this.#least;
  }

  #write(level: Level, message: string, fields: Fields | undefined): void {
    if (this.writes(level)) this.#logger.log(level, message, { ...this.#fields, ...fields }); // winston would format what it then drops
  }
}

/** Writes to standard error, so that what a command prints stays clean. Secrets are taken out (redact.ts). */
export function createLog({ level, form }: LogOptions): Log {
  const logger = winston.createLogger({
    level,
    format: winston.format.combine(prepare(), form === 'json' ? winston.format.json() : text),
    transports: [new winston.transports.Console({ stderrLevels: ['debug', 'info', 'warn', 'error'] })],
  });
  return new WinstonLog(logger, levels.indexOf(level), {});
}

/** For places that must not write, such as tests. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
  writes: () => false,
};
