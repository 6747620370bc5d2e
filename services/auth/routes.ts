import { AppError } from '#errors.ts';
import { sendPage, type PageFrame } from '#pages/page.ts';
import { showNewPassword, setNewPassword, newPasswordPath, type NewPasswordDeps } from './sign-in/new-password.ts';
import { showSignIn, signIn, type SignInDeps } from './sign-in/sign-in.ts';
import { showSignOut, signOut } from './sign-in/sign-out.ts';
import { codePage, startPage } from './sign-in/small-pages.ts';
import type { AuthContext, AuthMiddleware } from './state.ts';

export interface RouteDeps extends NewPasswordDeps, SignInDeps {
  readonly accounts: NewPasswordDeps['accounts'] & SignInDeps['accounts'];
  readonly frame: PageFrame;
}

type Handler = (ctx: AuthContext) => Promise<void> | void;

/** path → method → answer. 404 for other paths, 405 for other methods. */
export function answerPages(deps: RouteDeps): AuthMiddleware {
  const { frame } = deps;
  const pages: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
    '/': { GET: (ctx) => start(ctx, frame) },
    '/auth': { GET: (ctx) => showSignIn(ctx, deps), POST: (ctx) => signIn(ctx, deps) },
    [newPasswordPath]: { GET: (ctx) => showNewPassword(ctx, deps), POST: (ctx) => setNewPassword(ctx, deps) },
    '/auth/sign-out': { GET: (ctx) => showSignOut(ctx, frame), POST: (ctx) => signOut(ctx) },
    '/oauth2/code': { GET: (ctx) => showCode(ctx, frame) },
  };
  return async (ctx) => {
    const path = ctx.path.length > 1 ? ctx.path.replace(/\/$/, '') : ctx.path;
    const methods = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!methods) throw new AppError('not_found');
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!handler)
      throw new AppError('method_not_allowed', undefined, { headers: { Allow: Object.keys(methods).join(', ') } });
    await handler(ctx);
  };
}

function start(ctx: AuthContext, frame: PageFrame): void {
  if (frame.consoleUrl === undefined) sendPage(ctx, startPage(frame, ctx.state.signedIn?.account));
  else ctx.redirect(frame.consoleUrl);
}

function showCode(ctx: AuthContext, frame: PageFrame): void {
  const query = new URLSearchParams(ctx.querystring);
  sendPage(ctx, codePage(frame, { code: query.get('code') ?? undefined, error: query.get('error') ?? undefined }));
}
