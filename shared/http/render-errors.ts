import { AppError, codes, toAppError, type Code } from '#errors.ts';
import { badRequestPage } from '#pages/bad-request-page.ts';
import { factsOf } from './access-log.ts';
import type { HttpContext, HttpMiddleware } from './state.ts';

/** How an error looks to the caller. */
export type Face = (ctx: HttpContext, error: AppError) => void;

/** RFC 9457. `instance` is the request id. */
export const asProblem: Face = (ctx, error) => {
  ctx.body = JSON.stringify({
    type: 'about:blank',
    title: codes[error.code][1],
    status: error.status,
    detail: error.publicText,
    instance: ctx.state.id,
    ...(error.faults.length > 0 ? { errors: error.faults } : {}),
  });
  ctx.set('content-type', 'application/problem+json');
};

const wantsProblem = (ctx: HttpContext) => /\bapplication\/problem\+json\b/.test(ctx.get('accept'));

/** The error's text; problem+json for a client that accepts it. */
export const asText: Face = (ctx, error) => {
  if (wantsProblem(ctx)) return asProblem(ctx, error);
  ctx.body = error.publicText;
  ctx.set('content-type', 'text/plain; charset=utf-8');
};

/** The acceptor's face: the page `Bad Request`; problem+json for a client that accepts it and not a page. */
export const asBadRequestPage: Face = (ctx, error) => {
  const shown = new Set<Code>(['bad_request', 'invalid', 'forbidden', 'unsupported', 'too_large', 'unprocessable']);
  if (!shown.has(error.code)) return asText(ctx, error);
  if (wantsProblem(ctx) && !/\btext\/html\b/.test(ctx.get('accept'))) return asProblem(ctx, error);
  ctx.body = String(badRequestPage(ctx.state.id));
  ctx.set('content-type', 'text/html; charset=utf-8');
};

/** The one place that catches. What is not an AppError is ours: logged whole, answered `Internal server error`. */
export const renderErrors =
  (face: Face): HttpMiddleware =>
  (ctx, next) =>
    next().catch((thrown: unknown) => renderError(ctx, thrown, face));

/** Answers and logs one error; an answer already begun is cut off instead. */
export function renderError(ctx: HttpContext, thrown: unknown, face: Face): void {
  const error = toAppError(thrown);
  if (error.status >= 500)
    ctx.state.log.error('request failed', { kind: error.code, ...factsOf(ctx), cause: error.cause ?? error });
  else ctx.state.log.debug('request refused', { kind: error.code, status: error.status, detail: error.message });
  if (ctx.headerSent) {
    ctx.res.destroy();
    return;
  }
  for (const name of ['content-length', 'content-encoding', 'content-disposition', 'etag']) ctx.remove(name);
  ctx.status = error.status;
  for (const [name, value] of Object.entries(error.headers)) ctx.set(name, value);
  if (error.code === 'unavailable' && !ctx.res.hasHeader('retry-after')) ctx.set('retry-after', '5');
  face(ctx, error);
}
