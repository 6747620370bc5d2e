import type { AuthContext } from '../state.ts';

/** The part of koa-session that is used: `ctx.session = {}` alone would keep the old id (fixation). */
interface SessionHolder {
  session: (Record<string, unknown> & { regenerate(): Promise<void> }) | null;
}

/** A new session with a new id for this browser; the one before ends. */
export async function beginSession(ctx: AuthContext, account: string): Promise<void> {
  const holder = ctx as unknown as SessionHolder;
  holder.session = {} as NonNullable<SessionHolder['session']>;
  Object.assign(holder.session, { user: account, address: ctx.ip, agent: ctx.get('user-agent') });
  await holder.session.regenerate();
}

/** Ends the session of this browser in all processes and takes the cookie back. */
export function endSession(ctx: AuthContext): void {
  (ctx as unknown as SessionHolder).session = null; // koa-session does it when the answer is ready
}
