import type { RequestListener, ServerResponse } from 'node:http';

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
}

const belongs = (path: string, prefix: string): boolean =>
  prefix === '/' || path === prefix || path.startsWith(`${prefix}/`) || path.startsWith(`${prefix}?`);

/** prefix → app. Also `/healthz` (the process lives) and `/readyz` (it can serve). Nothing is decoded or rewritten here. */
export function createFront({ parts, ready, urlLimit, stopping }: FrontOptions): RequestListener {
  const health = createHealth(ready, stopping);
  const order = parts
    .flatMap(({ prefixes, answer }) => prefixes.map((prefix) => ({ prefix, answer })))
    .sort((one, other) => other.prefix.length - one.prefix.length);
  return (req, res) => {
    const url = req.url ?? '';
    if (stopping()) res.setHeader('connection', 'close');
    if (url.length > urlLimit) return say(res, 414, 'The address is too long');
    if (!url.startsWith('/') && url !== '*') return say(res, 400, 'The request cannot be understood'); // absolute form: not a proxy
    if (url === '/healthz' || url === '/readyz') return health(req, res);
    const part = order.find(({ prefix }) => belongs(url, prefix));
    if (part) return part.answer(req, res);
    return say(res, 404, 'Not found');
  };
}

/** The two answers for probes, also on the listener of ADMIN_PORT. */
export function createHealth(ready: () => Promise<boolean>, stopping: () => boolean): RequestListener {
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

function say(res: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  res.end(text);
}
