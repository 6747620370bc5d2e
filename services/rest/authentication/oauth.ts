import { AppError } from '#errors.ts';
import type { BearerTokens } from '#tokens/bearer.ts';
import { bearerOf, throttled, unauthenticated, type Authenticator, type CountFailure } from './authenticator.ts';

/** Gives all that the account may. */
const wholeAccount = 'self';

/** Mode `oauth`: an access token (RFC 6750) with a scope for this service. @param scopes further ones that open it */
export const createOauthAuthenticator =
  (
    bearer: Pick<BearerTokens, 'find'>,
    countFailure: CountFailure,
    service: string,
    scopes: readonly string[],
  ): Authenticator =>
  async (request) => {
    const token = bearerOf(request);
    if (token === '') return { refused: unauthenticated('Bearer realm="Portico"') };
    const found = await bearer.find(token);
    if (!found) {
      const wait = await countFailure(request.ip);
      if (wait > 0) return { refused: throttled(wait) };
      return { refused: unauthenticated('Bearer realm="Portico", error="invalid_token"') };
    }
    const enough = [wholeAccount, `svc:${service}`, ...scopes];
    if (enough.some((scope) => found.scopes.has(scope))) return { user: found.user };
    return { refused: insufficient(service) };
  };

const insufficient = (service: string): AppError =>
  new AppError('forbidden', `no scope for ${service}`, {
    headers: {
      'WWW-Authenticate': `Bearer realm="Portico", error="insufficient_scope", scope="svc:${quotable(service)}"`,
    },
  });

/** Characters of a scope (RFC 6749 section 3.3); others cannot stand in a header. */
const quotable = (service: string): string => service.replace(/[^\x21\x23-\x5b\x5d-\x7e]/g, '');
