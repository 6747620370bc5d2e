import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import type { Settings } from '#config/settings.ts';

const now = () => Math.floor(Date.now() / 1000);

/** What is given under a grant ends with it at the latest. */
const leftOfGrant = (ctx: KoaContextWithOIDC): number =>
  ctx.oidc.entities.Grant?.exp === undefined ? Infinity : Math.max(1, ctx.oidc.entities.Grant.exp - now());

/** The client's own lifetime (its property `oauth`), or the setting. */
const ofClient = (client: Client | undefined, name: string, setting: number): number => {
  const own = client?.[name];
  return typeof own === 'number' ? own : setting;
};

/** Seconds that each kind of record lives. A grant lives as long as something under it may. */
export function createLifetimes(settings: Settings) {
  const accessToken = (client: Client | undefined) =>
    ofClient(client, 'access_token_lifetime', settings('oauth.accessTokenLifetime'));
  const refreshToken = (client: Client | undefined) =>
    ofClient(client, 'refresh_token_lifetime', settings('oauth.refreshTokenLifetime'));
  const code = settings('oauth.codeLifetime');

  /** Without refresh tokens: one access token. Without `offline_access`: the session. */
  function grant({ oidc }: KoaContextWithOIDC): number {
    const longest = settings('oauth.grantLifetime');
    if (!oidc.client?.grantTypeAllowed('refresh_token')) return Math.min(longest, code + accessToken(oidc.client));
    const stays = oidc.requestParamScopes.has('offline_access');
    return stays ? longest : Math.min(longest, settings('sessions.absolute'));
  }

  return {
    AuthorizationCode: code,
    AccessToken: (ctx: KoaContextWithOIDC, _token: unknown, client: Client) =>
      Math.min(accessToken(client), leftOfGrant(ctx)),
    RefreshToken: (ctx: KoaContextWithOIDC, _token: unknown, client: Client) =>
      Math.min(refreshToken(client), leftOfGrant(ctx)),
    ClientCredentials: (_ctx: KoaContextWithOIDC, _token: unknown, client: Client) => accessToken(client),
    IdToken: Math.min(3600, settings('oauth.accessTokenLifetime')),
    Grant: grant,
    Interaction: 60, // not stored (adapter.ts)
    Session: settings('sessions.idle'), // not stored: the browser's session is the only one
  };
}
