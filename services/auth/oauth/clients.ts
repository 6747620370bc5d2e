import type { AllClientMetadata } from 'oidc-provider';
import type { Accounts } from '#accounts/account.ts';
import { qualify } from '#accounts/identity.ts';
import { readOauthClient, type OauthClient } from '#accounts/oauth-client.ts';
import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';

export interface Clients {
  /** Undefined: unknown, disabled, no client, or its property `oauth` is faulty (logged). A bare id means `<id>@system`. */
  find(id: string): Promise<OauthClient | undefined>;
  /** Errors: too_many, with Retry-After. A failure counts against the client's account. */
  checkSecret(id: string, secret: string, address: string): Promise<boolean>;
}

export interface ClientsDeps {
  readonly accounts: Pick<Accounts, 'find' | 'verify'>;
  readonly defaultRedirectUri: string;
  readonly log: Pick<Log, 'warn'>;
}

export const createClients = ({ accounts, defaultRedirectUri, log }: ClientsDeps): Clients => ({
  async find(id) {
    const account = await accounts.find(qualify(id, 'system'));
    if (!account || account.disabled) return undefined;
    const read = readOauthClient(account, defaultRedirectUri);
    if (read === undefined) return undefined;
    if ('client' in read) return read.client;
    log.warn('client is refused: its property oauth is faulty', { client: account.identity, faults: read.faults });
    return undefined;
  },
  async checkSecret(id, secret, address) {
    const verdict = await accounts.verify(qualify(id, 'system'), secret, address);
    if ('refused' in verdict && verdict.refused === 'throttled') {
      throw new AppError('too_many', `client ${id}`, { headers: { 'Retry-After': String(Math.ceil(verdict.wait)) } });
    }
    return 'account' in verdict;
  },
});

const isWeb = (uri: string) => /^https?:/.test(uri);

/** As the library wants it. The secret stands for none: `checkSecret` compares (internals.ts). */
export const toMetadata = (client: OauthClient): AllClientMetadata & Record<string, unknown> => ({
  client_id: client.id,
  client_name: client.name,
  client_secret: 'is held as a password hash',
  redirect_uris: [...client.redirectUris],
  grant_types: [...client.grants],
  response_types: client.grants.includes('authorization_code') ? ['code'] : [],
  application_type: client.redirectUris.every(isWeb) ? 'web' : 'native',
  token_endpoint_auth_method: 'client_secret_basic',
  id_token_signed_response_alg: 'RS256',
  access_token_lifetime: client.accessTokenLifetime,
  refresh_token_lifetime: client.refreshTokenLifetime,
  legacy: client.legacy,
});
