import type { AppError } from '#errors.ts';
import { asProblem, type Face } from '#http/render-errors.ts';
import { errorPage } from '#pages/error-page.ts';
import { sendPage, type PageFrame } from '#pages/page.ts';
import type { HttpContext } from '#http/state.ts';
import { localPath } from './sign-in/local-path.ts';

/** Whether the caller wants to read the answer as JSON: it says so, or sent JSON and does not ask for a page. */
export const wantsJson = (ctx: Pick<HttpContext, 'accepts' | 'is' | 'get'>): boolean =>
  /\bjson\b/.test(ctx.get('accept')) ||
  (typeof ctx.is('json') === 'string' && !/\btext\/html\b/.test(ctx.get('accept')));

const protocolPath = /^\/(oauth2\/(?!grant$|code$)|\.well-known\/)/;

/** RFC 6749 section 5.2, for what goes wrong outside the library. */
function asOauthError(ctx: HttpContext, error: AppError): void {
  const name = error.status >= 500 ? 'server_error' : error.code === 'too_many' ? 'slow_down' : 'invalid_request';
  ctx.body = { error: name, error_description: error.publicText };
}

/** An error as the caller can read it: a page for people, JSON for programs. */
export const asPageOrJson =
  (frame: PageFrame): Face =>
  (ctx, error) => {
    if (protocolPath.test(ctx.path)) return asOauthError(ctx, error);
    if (wantsJson(ctx)) return asProblem(ctx, error);
    const retryAfter = Number(ctx.response.get('retry-after')) || undefined;
    const retryUrl = ctx.method === 'GET' ? localPath(ctx.originalUrl) : undefined;
    const { status, publicText: text } = error;
    sendPage(ctx, errorPage(frame, { status, text, requestId: ctx.state.id, retryAfter, retryUrl }));
  };
