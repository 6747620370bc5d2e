import { AppError } from '#errors.ts';

export interface Node {
  readonly host: string;
  readonly port: number;
}

/** What REDIS_URL says. `nodes` are servers of the cluster, or sentinels. */
export interface RedisAddress {
  readonly kind: 'server' | 'cluster' | 'sentinel';
  readonly nodes: readonly [Node, ...Node[]];
  /** Name under which the sentinels know the master. */
  readonly master: string;
  readonly tls: boolean;
  readonly username: string;
  readonly password: string;
  readonly database: number;
}

const scheme = /^(?<name>redis|rediss)(?:-(?<kind>cluster|sentinel))?:$/;

const wrong = (why: string): AppError =>
  new AppError('invalid', `REDIS_URL: ${why}`, { publicText: `REDIS_URL ${why} (docs/configuration.md)` });

/**
 * `redis[s]://[user:password@]host[:port][/database]`; several with commas, or `redis[s]-cluster://`: a cluster;
 * `redis[s]-sentinel://…/master`. After the first, host and port are enough. Errors (invalid) never hold the password.
 */
export function readRedisAddress(text: string): RedisAddress {
  const [first = '', ...others] = text.split(',').map((one) => one.trim());
  const prefix = /^[^/]*\/\//.exec(first)?.[0] ?? '';
  const [main, ...more] = [first, ...others.map((one) => (one.includes('://') ? one : prefix + one))].map(parse);
  const found = scheme.exec(main!.protocol);
  if (found === null) throw wrong('has no scheme of Redis');
  if (more.some(({ protocol }) => protocol !== main!.protocol)) throw wrong('mixes schemes');
  const kind =
    (found.groups?.['kind'] as 'cluster' | 'sentinel' | undefined) ?? (more.length > 0 ? 'cluster' : 'server');
  const urls = [main!, ...more];
  const path = urls.map(({ pathname }) => pathname.slice(1)).find((one) => one !== '') ?? '';
  const [master, number = '0'] = kind === 'sentinel' ? path.split('/') : ['', path || '0'];
  if (kind === 'sentinel' && !master)
    throw wrong('names no master after the sentinels: redis-sentinel://host:26379/name');
  if (!/^\d{1,4}$/.test(number)) throw wrong('ends in no number of a database');
  if (kind === 'cluster' && number !== '0') throw wrong('names a database, which a cluster does not have');
  const port = kind === 'sentinel' ? 26_379 : 6379;
  return {
    kind,
    nodes: urls.map((url) => toNode(url, port)) as [Node, ...Node[]],
    master: decode(master ?? ''),
    tls: found.groups?.['name'] === 'rediss',
    username: decode(main!.username),
    password: decode(main!.password),
    database: Number(number),
  };
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '') throw wrong('is no URL; commas inside a password are written %2C');
  if (url.search !== '' || url.hash !== '') throw wrong('must end after the path');
  return url;
}

const toNode = ({ hostname, port }: URL, usual: number): Node => ({
  host: hostname.replace(/^\[(.*)\]$/, '$1'),
  port: Number(port) || usual,
});

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('holds a % that is no escape; write it %25');
  }
}

/** For the log: where, without credentials. */
export const describeAddress = ({ kind, nodes }: RedisAddress): string =>
  `${kind === 'server' ? '' : `${kind} `}${nodes.map(({ host, port }) => `${host}:${port}`).join(', ')}`;
