import type { Configuration } from 'oidc-provider';
import { errorPage } from '#pages/error-page.ts';
import { sendPage, type PageFrame } from '#pages/page.ts';
import type { AuthContext } from '../state.ts';
import { wantsJson } from '../faces.ts';

/** An authorization request that cannot be answered with a redirect: a page that says whose fault it is; JSON when asked for. */
export const createRenderError =
  (frame: PageFrame): NonNullable<Configuration['renderError']> =>
  (libraryContext, out) => {
    const ctx = libraryContext as unknown as AuthContext;
    if (wantsJson(ctx)) {
      ctx.body = out;
      return;
    }
    const query = new URLSearchParams(ctx.querystring);
    const wrongAddress = out.error === 'invalid_redirect_uri';
    const oauth = {
      error: out.error,
      clientId: query.get('client_id') ?? undefined,
      redirectUri: wrongAddress ? (query.get('redirect_uri') ?? undefined) : undefined,
    };
    const { status } = ctx;
    sendPage(ctx, errorPage(frame, { status, requestId: ctx.state.id, text: out.error_description, oauth }));
  };
