import type { Account, Accounts } from '#accounts/account.ts';
import { longestPassword, verifyPassword } from '#accounts/password.ts';
import { sendPage, type PageFrame } from '#pages/page.ts';
import { readForm } from '../read-body.ts';
import type { AuthContext } from '../state.ts';
import { beginSession } from './begin-session.ts';
import { localPath } from './local-path.ts';
import { newPasswordPage, shortestPassword, type NewPasswordFault } from './new-password-page.ts';
import { readTicket } from './ticket.ts';

export interface NewPasswordDeps {
  readonly accounts: Pick<Accounts, 'find' | 'change'>;
  readonly frame: PageFrame;
  readonly key: Buffer;
}

export const newPasswordPath = '/auth/new-password';

/** GET: the form, for who has a ticket. */
export async function showNewPassword(ctx: AuthContext, { accounts, frame, key }: NewPasswordDeps): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  const ticket = query.get('ticket') ?? '';
  const account = await readTicket(key, ticket, accounts.find);
  if (!account) return ctx.redirect('/auth');
  sendPage(
    ctx,
    newPasswordPage(frame, { account: account.identity, ticket, continueAt: localPath(query.get('continue')) }),
  );
}

/** POST: sets the password and signs in. */
export async function setNewPassword(ctx: AuthContext, { accounts, frame, key }: NewPasswordDeps): Promise<void> {
  const form = await readForm(ctx);
  const ticket = form.get('ticket') ?? '';
  const continueAt = localPath(form.get('continue'));
  const account = await readTicket(key, ticket, accounts.find);
  if (!account) return ctx.redirect('/auth');
  const password = form.get('password') ?? '';
  const fault = findFault(password, form.get('again')) ?? (await findReuse(account, password));
  if (fault) {
    ctx.status = 422;
    return sendPage(ctx, newPasswordPage(frame, { account: account.identity, ticket, continueAt, fault }));
  }
  await accounts.change(account.identity, { password, needPasswordReset: false });
  ctx.state.log.info('password set at sign-in', { account: account.identity });
  await beginSession(ctx, account.identity);
  return ctx.redirect(continueAt ?? '/');
}

function findFault(password: string, again: string | null): NewPasswordFault | undefined {
  if (password.length < shortestPassword) return 'short';
  if (Buffer.byteLength(password) > longestPassword) return 'long';
  return password === again ? undefined : 'differs';
}

const findReuse = async ({ passwordHash }: Account, password: string): Promise<NewPasswordFault | undefined> =>
  (await verifyPassword(passwordHash, password, false)) ? 'same' : undefined;
