import type { Account, Accounts } from '#accounts/account.ts';
import { qualify } from '#accounts/identity.ts';
import { AppError } from '#errors.ts';
import { sendPage, type PageFrame } from '#pages/page.ts';
import { address } from '../address.ts';
import { wantsJson } from '../faces.ts';
import { readFields } from '../read-body.ts';
import type { AuthContext } from '../state.ts';
import { beginSession } from './begin-session.ts';
import { localPath } from './local-path.ts';
import { newPasswordPath } from './new-password.ts';
import { signInPage, type SignInReason } from './sign-in-page.ts';
import { writeTicket } from './ticket.ts';

export interface SignInDeps {
  readonly accounts: Pick<Accounts, 'find' | 'verify'>;
  readonly frame: PageFrame;
  readonly key: Buffer;
  /** The name of a client, for the page that leads to it. */
  readonly nameOfClient: (id: string) => Promise<string | undefined>;
}

const reasons: ReadonlySet<string> = new Set<SignInReason>(['wrong', 'missing', 'expired', 'signed-out', 'switch']);
const isReason = (word: string): word is SignInReason => reasons.has(word);

/** GET /auth: the page. What the query says is words of ours or text. */
export async function showSignIn(ctx: AuthContext, deps: SignInDeps): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  const reason = query.get('reason') ?? '';
  const continueAt = localPath(query.get('continue'));
  const view = { reason: isReason(reason) ? reason : undefined, username: query.get('username') ?? '', continueAt };
  sendPage(ctx, signInPage(deps.frame, { ...view, purpose: await purposeOf(continueAt, deps) }));
}

async function purposeOf(
  continueAt: string | undefined,
  { frame, nameOfClient }: SignInDeps,
): Promise<string | undefined> {
  if (continueAt === undefined) return undefined;
  const { pathname, searchParams } = new URL(continueAt, 'http://here.invalid');
  if (pathname === '/oauth2/grant') return nameOfClient(searchParams.get('client_id') ?? '');
  return frame.consoleUrl !== undefined && pathname.startsWith(frame.consoleUrl) ? 'the registry' : undefined;
}

interface Attempt {
  readonly username: string;
  readonly continueAt: string | undefined;
}

/**
 * POST /auth. A form: 302 onward, or back to the page with a message. JSON: 200 or 401.
 * 429 with Retry-After while attempts do not count.
 */
export async function signIn(ctx: AuthContext, deps: SignInDeps): Promise<void> {
  const { fields, json } = await readFields(ctx);
  const asJson = json || wantsJson(ctx);
  const [username, password] = [fields.get('username') ?? '', fields.get('password') ?? ''];
  const attempt = { username, continueAt: localPath(fields.get('continue')) };
  if (username === '' || password === '') return refuse(ctx, attempt, asJson, 'missing');
  const identity = qualify(username, 'local');
  const verdict = await deps.accounts.verify(identity, password, ctx.ip);
  if ('account' in verdict) return welcome(ctx, verdict.account, attempt, asJson, deps);
  // an unknown name may be a password that was typed into the wrong field
  const account = (await deps.accounts.find(identity))?.identity ?? 'unknown';
  ctx.state.log.info('sign-in refused', { account, why: verdict.refused, ip: ctx.ip });
  if (verdict.refused === 'wrong') return refuse(ctx, attempt, asJson, 'wrong');
  return holdBack(ctx, attempt, asJson, Math.ceil(verdict.wait), deps);
}

async function welcome(
  ctx: AuthContext,
  account: Account,
  { continueAt }: Attempt,
  asJson: boolean,
  { key }: SignInDeps,
): Promise<void> {
  const { identity, name } = account;
  if (account.needPasswordReset) {
    if (asJson)
      throw new AppError('forbidden', 'needs a new password', {
        publicText: 'The account needs a new password: sign in with a browser',
      });
    return ctx.redirect(address(newPasswordPath, { ticket: writeTicket(key, account), continue: continueAt }));
  }
  await beginSession(ctx, identity);
  ctx.state.log.info('signed in', { account: identity, ip: ctx.ip });
  if (!asJson) return ctx.redirect(continueAt ?? '/');
  ctx.body = { account: identity, name };
  return undefined;
}

function refuse(ctx: AuthContext, { username, continueAt }: Attempt, asJson: boolean, reason: SignInReason): void {
  if (asJson) throw new AppError('unauthenticated', `sign-in: ${reason}`);
  ctx.redirect(address('/auth', { reason, username, continue: continueAt }));
}

async function holdBack(
  ctx: AuthContext,
  attempt: Attempt,
  asJson: boolean,
  wait: number,
  deps: SignInDeps,
): Promise<void> {
  const headers = { 'Retry-After': String(wait) };
  if (asJson) throw new AppError('too_many', 'sign-in', { headers });
  ctx.status = 429;
  ctx.set(headers);
  sendPage(ctx, signInPage(deps.frame, { ...attempt, wait, purpose: await purposeOf(attempt.continueAt, deps) }));
}
