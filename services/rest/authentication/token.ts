import { AppError } from '#errors.ts';
import type { ServiceTokens } from '#tokens/service-tokens.ts';
import { bearerOf, throttled, unauthenticated, type Authenticator, type CountFailure, type Credentials } from './authenticator.ts'; // prettier-ignore

/** In `auth-token`; old proxies send it as a bearer token. */
export const serviceTokenOf = (request: Credentials): string => request.get('auth-token') || bearerOf(request);

/** Mode `token`: a live service token. A password does not count here. */
export const createTokenAuthenticator =
  (tokens: Pick<ServiceTokens, 'find'>, countFailure: CountFailure): Authenticator =>
  async (request) => {
    const token = serviceTokenOf(request);
    if (token === '') return { refused: unauthenticated() };
    const found = await tokens.find(token);
    if (found) return { user: found.owner };
    const wait = await countFailure(request.ip);
    return { refused: wait > 0 ? throttled(wait) : new AppError('forbidden', 'the service token is not valid') };
  };
