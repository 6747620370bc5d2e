import { z } from 'zod';
import type { Identity } from '#accounts/identity.ts';
import type { Access } from '#access/rights.ts';
import { AppError } from '#errors.ts';
import { Service, type Envelope, type Routes, type ServiceRequest } from '#service/index.ts';
import type { ServiceTokens } from '#tokens/service-tokens.ts';

export interface TokenServiceOptions {
  readonly tokens: Pick<ServiceTokens, 'make' | 'revoke'>;
  readonly access: Pick<Access, 'rightsOf'>;
  /** Seconds that a token lives when the caller asks for nothing else. */
  readonly lifetime: number;
}

/** The right to make tokens: `use` on it. */
export const tokenRight = 'ws:::gen-ws-token';

const longest = 366 * 24 * 3600; // seconds

const wishes = z.object({
  // forms hold text; coercion would take lists and booleans too
  ttl: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,12}$/)
        .transform(Number),
    ])
    .pipe(z.number().int().min(1).max(longest))
    .optional(),
  name: z.string().max(200).optional(),
});

/** `token`: GET and POST `{ttl?, name?}` make a service token of the caller, DELETE ends the one in `auth-token`. */
export class TokenService extends Service<TokenServiceOptions> {
  override routes(routes: Routes): void {
    routes.add('GET', '/', (request) => this.make(request, {}));
    routes.add('POST', '/', (request) => this.make(request, readWishes(request.body)));
    routes.add('DELETE', '/', (request) => this.revoke(request));
  }

  private async make({ user, method }: ServiceRequest, { ttl, name }: z.infer<typeof wishes>): Promise<Envelope> {
    const owner = await this.checkedOwner(user);
    if (method === 'HEAD') return asText(''); // asks, makes nothing
    const { token } = await this.options.tokens.make(owner, {
      ttl: ttl ?? this.options.lifetime,
      ...(name === undefined ? {} : { name }),
    });
    return asText(token);
  }

  private async checkedOwner(user: Identity | null): Promise<string> {
    if (!user) throw new AppError('unauthenticated', 'tokens are made for accounts; this service has mode none');
    const rights = await this.options.access.rightsOf(user.id);
    if (!rights.may('use', tokenRight)) throw new AppError('forbidden', `${user.id} may not make tokens`);
    return user.id;
  }

  private async revoke(request: ServiceRequest): Promise<null> {
    const token = request.get('auth-token');
    if (token === '') {
      throw new AppError('bad_request', 'no token to end', { publicText: 'Send the token to end in auth-token' });
    }
    if (!(await this.options.tokens.revoke(token))) throw new AppError('not_found', 'no such token');
    return null;
  }
}

function readWishes(body: unknown): z.infer<typeof wishes> {
  const read = wishes.safeParse(body ?? {});
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => ({ property: issue.path.join('.'), code: issue.code, message: issue.message })); // prettier-ignore
  const publicText = faults.map(({ property, message }) => (property === '' ? message : `${property}: ${message}`)).join('\n'); // prettier-ignore
  throw new AppError('bad_request', 'not a wish for a token', { faults, publicText });
}

const asText = (data: string): Envelope => ({
  data,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
});
