import { z } from 'zod';

const seconds = z.number().int().positive();
const bytes = z.number().int().positive();
const count = z.number().int().positive();
const list = z.array(z.string());

export interface Setting {
  readonly schema: z.ZodType;
  readonly unit: string;
  readonly about: string;
}

const setting = <T>(schema: z.ZodType<T>, fallback: T, unit: string, about: string) => ({
  schema,
  fallback,
  unit,
  about,
});

/**
 * Every setting, once: name → type, default, unit. Looked up as `A_B_C` in the environment, then in the ini files,
 * then in `globals.settings` of deploy.json.
 */
export const settings = {
  'application.demo': setting(
    z.boolean(),
    false,
    '',
    'Holds example credentials: refused in production and beyond loopback',
  ),
  'log.level': setting(z.enum(['debug', 'info', 'warn', 'error']), 'info', '', 'Least important lines that are logged'),
  'http.bodyLimit': setting(bytes, 1024 * 1024, 'bytes', 'Largest JSON, form or text body'),
  'http.fileLimit': setting(bytes, 100 * 1024 * 1024, 'bytes', 'Largest file'),
  'http.maxItems': setting(count, 10_000, 'items', 'Most items of a list in a body'),
  'http.maxDepth': setting(count, 50, 'levels', 'Deepest nesting of a body'),
  'http.urlLimit': setting(bytes, 8192, 'bytes', 'Longest address'),
  'http.requestTimeout': setting(seconds, 300, 's', 'Longest time for a request to arrive whole'),
  'stop.drain': setting(z.number().min(0), 0, 's', 'Not ready but still serving, before a stop closes the listener'),
  'stop.grace': setting(seconds, 10, 's', 'Longest wait for requests under way when stopping'),
  'rest.handlerTimeout': setting(seconds, 30, 's', 'A handler without progress for so long ends with 503'),
  'rest.tokenLifetime': setting(seconds, 30 * 24 * 3600, 's', 'Lifetime of a service token'),
  'rest.maxCount': setting(count, 1000, 'objects', 'Most objects of one list'),
  'rest.cors': setting(list, [], '', 'Origins that may call /rest from a browser, without credentials'),
  'rest.scopes': setting(z.record(z.string(), list), {}, '', 'Service → further scopes that open it in mode oauth'),
  'rest.internalUrl': setting(
    z.string(),
    '',
    'URL',
    'Where the gateway reaches the REST process; default: this process',
  ),
  'data.unknownAttributes': setting(
    z.enum(['ignore', 'reject']),
    'ignore',
    '',
    'What happens to names a class does not have',
  ),
  'data.atomic': setting(
    z.enum(['auto', 'require']),
    'auto',
    '',
    'Whether a MongoDB without transactions (no replica set) is used, with one warning, or refused',
  ),
  'data.requireIfMatch': setting(z.boolean(), false, '', 'Changes need If-Match (428 without)'),
  'mongo.timeout': setting(count, 10_000, 'ms', 'A call to MongoDB without an answer for so long ends with 503'),
  'redis.timeout': setting(count, 2000, 'ms', 'A command to Redis without an answer for so long ends with 503'),
  'acceptor.mode': setting(
    z.enum(['atomic', 'partial']),
    'atomic',
    '',
    'Whether one bad object refuses the whole list',
  ),
  'sessions.idle': setting(seconds, 30 * 60, 's', 'A session ends after so long without a call'),
  'sessions.absolute': setting(seconds, 12 * 3600, 's', 'A session ends so long after sign-in'),
  'auth.maxFailures': setting(count, 10, 'attempts', 'Failures in a row of one account before waits begin'),
  'auth.addressFailures': setting(count, 100, 'attempts', 'Failures from one address within auth.addressWindow'),
  'auth.addressWindow': setting(seconds, 300, 's', 'Window of auth.addressFailures'),
  'auth.firstWait': setting(seconds, 5, 's', 'First wait after auth.maxFailures; doubles with every failure'),
  'auth.longestWait': setting(seconds, 900, 's', 'Longest wait'),
  'auth.remember': setting(
    z.number().min(0),
    30,
    's',
    'How long a verified password need not be hashed again; 0: never remembered',
  ),
  'oauth.defaultRedirectUri': setting(
    z.string(),
    '',
    'URL',
    'Redirect URI of clients without an oauth property; default {base_url}/oauth2/code',
  ),
  'oauth.codeLifetime': setting(seconds, 60, 's', 'Lifetime of an authorization code'),
  'oauth.accessTokenLifetime': setting(seconds, 3600, 's', 'Lifetime of an access token'),
  'oauth.refreshTokenLifetime': setting(
    seconds,
    14 * 24 * 3600,
    's',
    'Lifetime of a refresh token, renewed at each rotation',
  ),
  'oauth.grantLifetime': setting(seconds, 90 * 24 * 3600, 's', 'Absolute end of what one consent gave'),
  'oauth.refreshReplay': setting(z.number().min(0), 10, 's', 'How long a lost refresh answer can be asked again'),
  'gateway.timeout': setting(seconds, 30, 's', 'Longest wait for the first byte of the service behind'),
} as const;

export type SettingName = keyof typeof settings;
export type SettingValue<N extends SettingName> = z.infer<(typeof settings)[N]['schema']>;
/** `setting('rest.maxCount')`: the value in force, checked at start. */
export type Settings = <N extends SettingName>(name: N) => SettingValue<N>;
