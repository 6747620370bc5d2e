import { errors, type Configuration, type JWK, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { holdsFor, type Accounts } from '#accounts/account.ts';
import type { Settings } from '#config/settings.ts';
import type { StateStore } from '#stores/state-store.ts';
import { createAdapters } from './adapter.ts';
import type { Clients } from './clients.ts';
import { bendInternals, wrapHandlers } from './internals.ts';
import { createLifetimes } from './lifetimes.ts';
import { createPolicy } from './policy.ts';
import { withReplay, type GrantHandler } from './refresh-replay.ts';
import { stateOf } from './request-state.ts';
import { defaultScope } from './scopes.ts';

export interface ProviderDeps {
  /** base_url: the issuer. */
  readonly publicUrl: string;
  readonly accounts: Pick<Accounts, 'find'>;
  readonly clients: Clients;
  readonly state: StateStore;
  readonly settings: Settings;
  readonly signingKeys: readonly JWK[];
  readonly scopes: readonly string[];
  readonly isSessionAlive: (uid: string) => Promise<boolean>;
  readonly renderError: NonNullable<Configuration['renderError']>;
}

/** OAuth 2.0 and OpenID Connect by oidc-provider: code with PKCE, refresh with rotation, client credentials. */
export function createProvider(deps: ProviderDeps): Provider {
  const { state, settings, clients, isSessionAlive } = deps;
  const wrap: Readonly<Record<string, (handler: GrantHandler) => GrantHandler>> = {
    refresh_token: (handler) => withReplay(state, settings('oauth.refreshReplay'), handler),
    client_credentials: (handler) => withClientScopes(deps.scopes, handler),
  };
  const provider: Provider = new (wrapHandlers(wrap))(
    deps.publicUrl,
    configuration(deps, () => provider),
  );
  bendInternals(provider, { clients, isSessionAlive });
  provider.on('server_error', (ctx, error) => {
    stateOf(ctx).failure = error;
  });
  return provider;
}

const configuration = (deps: ProviderDeps, provider: () => Provider): Configuration => ({
  adapter: createAdapters(deps),
  jwks: { keys: [...deps.signingKeys] },
  routes: {
    authorization: '/oauth2/grant',
    token: '/oauth2/token',
    introspection: '/oauth2/introspect',
    revocation: '/oauth2/revoke',
    userinfo: '/oauth2/userinfo',
    jwks: '/oauth2/jwks',
    end_session: '/oauth2/end-session',
  },
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    resourceIndicators: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => client.clientId === token.clientId },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => client.clientId === token.clientId },
    userinfo: { enabled: true },
  },
  responseTypes: ['code'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
  enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
  extraClientMetadata: { properties: ['access_token_lifetime', 'refresh_token_lifetime', 'legacy'] },
  scopes: [...deps.scopes],
  claims: { openid: ['sub'], profile: ['name'] },
  cookies: {
    keys: ['unused: no cookie of the library is ever sent'],
    long: { signed: false },
    short: { signed: false },
  },
  pkce: { required: (_ctx, client) => client['legacy'] !== true },
  allowOmittingSingleRegisteredRedirectUri: true,
  rotateRefreshToken: true,
  issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  expiresWithSession: async (_ctx, code) => !code.scopes.has('offline_access'),
  ttl: createLifetimes(deps.settings),
  interactions: { policy: createPolicy(), url: () => '/auth' },
  loadExistingGrant: (ctx) => makeGrant(ctx, provider()),
  findAccount: (_ctx, id, token) => findAccount(deps.accounts, id, token),
  clientBasedCORS: (_ctx, origin, client) =>
    (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
  renderError: deps.renderError,
});

/** A grant per consent, made when client, redirect URI, PKCE and scope were found good. */
async function makeGrant(ctx: KoaContextWithOIDC, { Grant }: Provider) {
  const scopes = ctx.oidc.requestParamOIDCScopes;
  if (scopes.size === 0)
    throw new errors.InvalidScope('none of the requested scopes is known', String(ctx.oidc.params?.['scope']));
  const { answer } = stateOf(ctx);
  if (answer === 'deny') throw new errors.AccessDenied('the person said no');
  if (answer === undefined) return undefined;
  const grant = new Grant({ accountId: ctx.oidc.session!.accountId, clientId: ctx.oidc.client!.clientId });
  grant.addOIDCScope([...scopes].join(' '));
  await grant.save();
  return grant;
}

async function findAccount(
  accounts: ProviderDeps['accounts'],
  id: string,
  token: { readonly iat?: number | undefined } | undefined,
) {
  const account = await accounts.find(id);
  const issued = token?.iat === undefined ? Date.now() : token.iat * 1000 + 999; // whole seconds, rounded down
  if (!holdsFor(account, issued)) return undefined;
  return { accountId: account.identity, claims: () => ({ sub: account.identity, name: account.name }) };
}

/** Scopes about a person mean nothing here; unknown ones are refused. */
const withClientScopes =
  (known: readonly string[], handler: GrantHandler): GrantHandler =>
  (ctx) => {
    const params = ctx.oidc.params!;
    const asked =
      typeof params['scope'] === 'string' && params['scope'] !== '' ? params['scope'].split(' ') : [defaultScope];
    const wrong = asked.filter(
      (scope) => !known.includes(scope) || ['openid', 'profile', 'offline_access'].includes(scope),
    );
    if (wrong.length > 0) throw new errors.InvalidScope('a client has no such scope', wrong.join(' '));
    params['scope'] = asked.join(' ');
    return handler(ctx);
  };
