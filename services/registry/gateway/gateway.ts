import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { AppError } from '#errors.ts';
import type { HttpContext, HttpState } from '#http/state.ts';
import type { Log } from '#log.ts';
import { compileAllowList, type AllowList } from './allow-list.ts';
import { beginAnswer, deliver } from './deliver.ts';
import { createForward, hasBody, type Forward, type Forwarded } from './forward.ts';
import { answerHeaders, requestHeaders } from './headers.ts';
import { outerLocation } from './location.ts';
import type { GatewayOptions } from './options.ts';
import { createTokenSource, type TokenSource } from './token-source.ts';

export interface GatewayDeps {
  readonly options: GatewayOptions;
  readonly readSession: (cookieHeader: string) => Promise<{ readonly identity: string } | undefined>;
  readonly isCrossSite: (request: Pick<IncomingMessage, 'method' | 'headers'>) => boolean;
  readonly log: Log;
  /** Where this installation's own REST module is reached, without `/rest`; asked at the first call, when the options have no `endPoint`. */
  readonly restUrl: () => string;
  /** Longest silence of the service behind. */
  readonly timeoutMs: number;
  /** At most half of a token's lifetime; 10 minutes unless said. */
  readonly renewAfterMs?: number;
  readonly clock?: () => number;
}

const safeMethods = new Set(['GET', 'HEAD']);

/** The part of the raw address below `base`; undefined when the request is not for this gateway. */
function pathBelow(base: string, ctx: HttpContext): { readonly path: string; readonly query: string } | undefined {
  const raw = ctx.req.url ?? '';
  const under = (path: string) => path === base || path.startsWith(`${base}/`);
  const end = raw.indexOf('?') === -1 ? raw.length : raw.indexOf('?');
  if (under(raw.slice(0, end))) return { path: raw.slice(base.length, end), query: raw.slice(end) };
  if (under(ctx.path)) throw new AppError('not_found', 'the address is not in origin form');
  return undefined;
}

function checkAllowed(allowList: AllowList, { method, req }: HttpContext, path: string): void {
  const decision = allowList(method, path);
  if (!decision.allowed && decision.status === 404) throw new AppError('not_found', 'not in the definition');
  if (!decision.allowed) throw new AppError('method_not_allowed', undefined, { headers: { Allow: decision.allow } });
  if (req.url?.includes('#')) throw new AppError('not_found', 'a fragment in the address');
  const refuse = (publicText: string) => new AppError('bad_request', undefined, { publicText });
  if (req.headers.upgrade !== undefined) throw refuse('Upgraded connections are not forwarded');
  const coding = req.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw refuse('The transfer coding is not known');
}

interface Upstream {
  readonly target: URL;
  /** The target's path, without a slash at the end. */
  readonly prefix: string;
  readonly forward: Forward;
  readonly tokens: TokenSource;
}

function createUpstream({ options, restUrl, log, timeoutMs, ...deps }: GatewayDeps): Upstream {
  const { endPoint = restUrl(), tokenPath, clientId, clientSecret } = options;
  const { renewAfterMs = 600_000, clock = Date.now } = deps;
  const target = new URL(endPoint);
  const prefix = target.pathname.replace(/\/$/, '');
  const url = `${target.origin}${prefix}${tokenPath}`;
  const tokens = createTokenSource({ url, clientId, clientSecret, renewAfterMs, timeoutMs, log, clock });
  return { target, prefix, tokens, forward: createForward(target, timeoutMs) };
}

/** Sends, and at most once more: for a token that went stale, or a pooled connection that did. Never with a body. */
async function send(
  ctx: HttpContext,
  { forward, tokens }: Upstream,
  { path, identity }: { readonly path: string; readonly identity: string },
): Promise<Forwarded> {
  const attempt = async (token: string, fresh: boolean) => {
    const headers = requestHeaders(ctx.req.headers, { token, requestId: ctx.state.id, identity });
    return forward(ctx.req, ctx.res, { path, headers, fresh });
  };
  const token = await tokens.current();
  const first = await attempt(token, false);
  const repeatable = !hasBody(ctx.req);
  if ('failed' in first) {
    const idempotent = safeMethods.has(ctx.method) || ctx.method === 'PUT' || ctx.method === 'DELETE';
    return first.stale && repeatable && idempotent ? attempt(token, true) : first;
  }
  if ('left' in first || (first.answer.statusCode !== 401 && first.answer.statusCode !== 403)) return first;
  if (!tokens.refuse(token) || !repeatable) return first;
  first.answer.destroy();
  return attempt(await tokens.current(), false);
}

async function answerWith(ctx: HttpContext, answer: IncomingMessage, target: URL, deps: GatewayDeps): Promise<void> {
  const headers = answerHeaders(answer.headers, (name) => ctx.res.hasHeader(name));
  for (const name of ['location', 'content-location']) {
    const location = headers[name];
    if (typeof location === 'string') headers[name] = outerLocation(location, target, deps.options.base);
  }
  beginAnswer(answer, ctx.res, headers);
  ctx.respond = false;
  if (!(await deliver(answer, ctx.res, deps.timeoutMs)))
    ctx.state.log.warn('an answer through the gateway broke off', { path: ctx.path });
}

/**
 * The way of a browser's call to a service: session in, token out (docs/gateway.md). Stands before anything that
 * reads a body. Throws `unauthenticated`, `cross_site`, `not_found`, `method_not_allowed`, `bad_request`,
 * `bad_gateway` and `gateway_timeout`; addresses that are not below its base go on to `next`.
 */
export function createGateway(deps: GatewayDeps): Koa.Middleware<HttpState> {
  const { base, definition } = deps.options;
  const allowList = compileAllowList(definition.paths);
  let upstream: Upstream | undefined;

  return async (ctx, next) => {
    const below = pathBelow(base, ctx);
    if (!below) {
      await next();
      return;
    }
    const session = await deps.readSession(ctx.get('cookie'));
    if (!session) throw new AppError('unauthenticated', 'no session');
    if (!safeMethods.has(ctx.method) && deps.isCrossSite(ctx.req)) throw new AppError('cross_site');
    checkAllowed(allowList, ctx, below.path);
    upstream ??= createUpstream(deps);
    const path = `${upstream.prefix}${below.path}${below.query}`;
    const result = await send(ctx, upstream, { path, identity: session.identity });
    if ('failed' in result) throw result.failed;
    if ('answer' in result) await answerWith(ctx, result.answer, upstream.target, deps);
    else ctx.respond = false; // the client has left
  };
}
