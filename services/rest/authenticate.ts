import type { Access } from '#access/rights.ts';
import { AppError } from '#errors.ts';
import type { Authenticator } from './authentication/index.ts';
import type { RestMiddleware } from './state.ts';

export interface AuthenticateDeps {
  /** The authenticator of a service's mode. */
  readonly authenticatorOf: (service: string) => Authenticator;
  readonly access: Pick<Access, 'rightsOf'>;
  /** Services that some role names in a right `s:::<service>`; only these are asked for. */
  readonly isRestricted: (service: string) => boolean | Promise<boolean>;
}

/** Who calls, by the service's own mode; then whether they may call it at all. */
export const authenticate =
  ({ authenticatorOf, access, isRestricted }: AuthenticateDeps): RestMiddleware =>
  async (ctx, next) => {
    const { call } = ctx.state;
    const verdict = await authenticatorOf(call.name)(ctx);
    if ('refused' in verdict) throw verdict.refused;
    const restricted = isRestricted(call.name);
    if (restricted !== false && (await restricted)) {
      const rights = await access.rightsOf(verdict.user?.id ?? null);
      if (!rights.may('use', `s:::${call.name}`)) throw new AppError('forbidden', `service ${call.name} is restricted`);
    }
    call.user = verdict.user;
    return next();
  };
