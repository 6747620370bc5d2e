import { unknownModes as unknownWords } from '#components/auth-modes.ts';
import type { Accounts } from '#accounts/account.ts';
import type { Throttle } from '#accounts/throttle.ts';
import type { BearerTokens } from '#tokens/bearer.ts';
import { isServiceToken, type ServiceTokens } from '#tokens/service-tokens.ts';
import { bearerOf, unauthenticated, type Answer, type Authenticator, type Credentials } from './authenticator.ts';
import { nobody } from './none.ts';
import { createOauthAuthenticator } from './oauth.ts';
import { createPasswordAuthenticator, passwordOf } from './password.ts';
import { createTokenAuthenticator } from './token.ts';

export type { Answer, Authenticator, Credentials } from './authenticator.ts';

export interface AuthenticatorsDeps {
  readonly accounts: Pick<Accounts, 'verify'>;
  readonly tokens: Pick<ServiceTokens, 'find'>;
  readonly bearer: Pick<BearerTokens, 'find'>;
  readonly throttle: Pick<Throttle, 'fail'>;
  /** Service → further scopes that open it in mode `oauth`. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
}

export type Modes = string | readonly string[] | undefined;

const tokenService = 'token';

/** Those that are no mode; such a service refuses everybody. */
export const unknownModes = (modes: Modes): readonly string[] => unknownWords(toList(modes));

const toList = (modes: Modes): readonly string[] => (typeof modes === 'string' ? [modes] : (modes ?? ['pwd']));

/** Mode or modes of a service → its authenticator. One word that is not known, or none at all: 401 for everybody. */
export function createAuthenticators(deps: AuthenticatorsDeps): (modes: Modes, service: string) => Authenticator {
  const { accounts, tokens, bearer, throttle } = deps;
  const countFailure = (address: string) => throttle.fail(address);
  const byPassword = createPasswordAuthenticator(accounts);
  const byToken = createTokenAuthenticator(tokens, countFailure);

  function choose(words: ReadonlySet<string>, service: string): Authenticator {
    const scopes = Object.hasOwn(deps.scopes, service) ? (deps.scopes[service] ?? []) : [];
    const byOauth = createOauthAuthenticator(bearer, countFailure, service, scopes);
    if (words.size === 1) return words.has('pwd') ? byPassword : words.has('token') ? byToken : byOauth;
    return oneOf({
      pwd: words.has('pwd') ? byPassword : undefined,
      token: words.has('token') ? byToken : undefined,
      oauth: words.has('oauth') ? byOauth : undefined,
    });
  }

  return (modes, service) => {
    const words = new Set(toList(modes).map((mode) => (mode === 'default' ? 'pwd' : mode)));
    if (words.size === 0 || unknownModes([...words]).length > 0) return async () => ({ refused: unauthenticated() });
    if (words.has('none')) return nobody;
    const chosen = choose(words, service);
    if (service !== tokenService) return chosen;
    // who holds a token may end it
    const ending = choose(new Set([...words, 'token']), service);
    return (request) => (request.method === 'DELETE' ? ending : chosen)(request);
  };
}

type ByMode = Readonly<Record<'pwd' | 'token' | 'oauth', Authenticator | undefined>>;

/** Several modes: each kind of credential that came is judged by its own mode; any good one serves, else the first refusal stands. */
const oneOf =
  (modes: ByMode): Authenticator =>
  async (request) => {
    let refusal: Answer | undefined;
    for (const authenticator of candidates(modes, request)) {
      const answer = await authenticator(request);
      if ('user' in answer) return answer;
      refusal ??= answer;
    }
    const asking = modes.pwd ?? modes.oauth ?? modes.token;
    return refusal ?? (asking ? asking(withoutCredentials) : { refused: unauthenticated() });
  };

function candidates({ pwd, token, oauth }: ByMode, request: Credentials): readonly Authenticator[] {
  const ofBearer = bearerOf(request) === '' ? undefined : isServiceToken(bearerOf(request)) ? token : oauth;
  const inHeader = request.get('auth-token') === '' ? undefined : token;
  const chosen = [inHeader, passwordOf(request) && pwd, inHeader && ofBearer === token ? undefined : ofBearer];
  return chosen.filter((one) => one !== undefined);
}

const withoutCredentials: Credentials = { get: () => '', ip: '' };
