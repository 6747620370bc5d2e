import { sendPage, type PageFrame } from '#pages/page.ts';
import { wantsJson } from '../faces.ts';
import { readFields } from '../read-body.ts';
import type { AuthContext } from '../state.ts';
import { endSession } from './begin-session.ts';
import { localPath } from './local-path.ts';
import { signOutPage } from './small-pages.ts';

export function showSignOut(ctx: AuthContext, frame: PageFrame): void {
  sendPage(ctx, signOutPage(frame, ctx.state.signedIn?.account));
}

/** POST /auth/sign-out: a form is led on (302), JSON is answered 200. Signed out or not before: the same answer. */
export async function signOut(ctx: AuthContext): Promise<void> {
  const { fields, json } = await readFields(ctx);
  const account = ctx.state.signedIn?.account;
  endSession(ctx);
  if (account !== undefined) ctx.state.log.info('signed out', { account });
  if (json || wantsJson(ctx)) ctx.body = { signedOut: true };
  else ctx.redirect(localPath(fields.get('continue')) ?? '/auth?reason=signed-out');
}
