import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { securityHeaderList } from '#http/security-headers.ts';

/** One role's app and the paths it answers; the one with `'/'` answers what nobody else does. */
export interface Part {
  readonly prefixes: readonly string[];
  readonly answer: RequestListener;
}

export interface FrontOptions {
  readonly parts: readonly Part[];
  /** Resolves when the process can serve. */
  readonly ready: () => Promise<boolean>;
  /** Longest address, bytes. */
  readonly urlLimit: number;
  readonly stopping: () => boolean;
  /** base_url is https. */
  readonly secure: boolean;
}

/** The prefix itself, or something below it. */
const belongs = (url: string, prefix: string): boolean =>
  prefix === '/' || (url.startsWith(prefix) && (url.length === prefix.length || '/?'.includes(url[prefix.length]!)));

/** RFC 9112 section 3.2: exactly one `Host`; a request of HTTP/1.0 may have none. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') found += 1;
  }
  return found === 1 || (found === 0 && httpVersion !== '1.1');
}

/** prefix → app. Also `/healthz` (the process lives) and `/readyz` (it can serve). Nothing is decoded or rewritten here. */
export function createFront({ parts, ready, urlLimit, stopping, secure }: FrontOptions): RequestListener {
  const health = createHealth({ ready, stopping, secure });
  const say = createSay(secure);
  const order = parts
    .flatMap(({ prefixes, answer }) => prefixes.map((prefix) => ({ prefix, answer })))
    .sort((one, other) => other.prefix.length - one.prefix.length);
  return (req, res) => {
    const url = req.url ?? '';
    if (url.length > urlLimit) return say(res, 414, 'The address is too long');
    if (!url.startsWith('/') && url !== '*') return say(res, 400, 'The request cannot be understood'); // absolute form: not a proxy
    if (!hasOneHost(req)) return say(res.setHeader('connection', 'close'), 400, 'The request cannot be understood');
    if (url === '/healthz' || url === '/readyz') return health(req, res);
    const part = order.find(({ prefix }) => belongs(url, prefix));
    if (part) return part.answer(req, res);
    return say(res, 404, 'Not found');
  };
}

/** The two answers for probes, also on the listener of ADMIN_PORT. */
export function createHealth({
  ready,
  stopping,
  secure,
}: Pick<FrontOptions, 'ready' | 'stopping' | 'secure'>): RequestListener {
  const say = createSay(secure);
  return (req, res) => {
    if (req.url === '/healthz') return say(res, 200, '{"status":"ok"}', 'application/json');
    if (req.url !== '/readyz') return say(res, 404, 'Not found');
    if (stopping()) return say(res, 503, '{"status":"stopping"}', 'application/json');
    ready().then(
      (yes) => say(res, yes ? 200 : 503, `{"status":"${yes ? 'ready' : 'not ready'}"}`, 'application/json'),
      () => say(res, 503, '{"status":"not ready"}', 'application/json'),
    );
    return undefined;
  };
}

function createSay(secure: boolean) {
  const headers = Object.fromEntries(securityHeaderList({ secure }));
  return (res: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
    res.writeHead(status, { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(text) });
    res.end(text);
  };
}
