import { z } from 'zod';
import type { Account } from './account.ts';

/** A scheme of its own holds a dot (RFC 8252 section 7.1): `com.example.app:/back`. */
const privateScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  if (!url || text.includes('#') || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || url.protocol === 'http:' || privateScheme.test(url.protocol);
}

const lifetime = z.number().int().positive();

/** Property `oauth` of a client's account (docs/oauth-clients.md). Lifetimes in seconds. */
export const oauthProperty = z.strictObject({
  redirectUris: z
    .array(
      z
        .string()
        .refine(isRedirectUri, 'is not an absolute address without fragment (https, http or a scheme of its own)'),
    )
    .default([]),
  grants: z
    .array(z.enum(['authorization_code', 'refresh_token', 'client_credentials']))
    .min(1)
    .optional(),
  accessTokenLifetime: lifetime.optional(),
  refreshTokenLifetime: lifetime.optional(),
  /** No PKCE asked of it. */
  legacy: z.boolean().default(false),
});

export interface OauthClient {
  /** The account's identity. */
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly grants: readonly ('authorization_code' | 'refresh_token' | 'client_credentials')[];
  readonly accessTokenLifetime: number | undefined;
  readonly refreshTokenLifetime: number | undefined;
  readonly legacy: boolean;
}

/** Undefined: the account is no client. Faults: its property `oauth` breaks a rule. */
export function readOauthClient(
  account: Pick<Account, 'identity' | 'type' | 'name' | 'properties'>,
  defaultRedirectUri: string,
): { readonly client: OauthClient } | { readonly faults: readonly string[] } | undefined {
  const { identity: id, name, type, properties } = account;
  const given = properties['oauth'];
  if (given === undefined || given === null) {
    if (type !== 'system') return undefined;
    const plain = { accessTokenLifetime: undefined, refreshTokenLifetime: undefined, legacy: true };
    return { client: { id, name, redirectUris: [defaultRedirectUri], grants: ['authorization_code'], ...plain } };
  }
  const read = oauthProperty.safeParse(given);
  if (!read.success)
    return { faults: read.error.issues.map((issue) => [['oauth', ...issue.path].join('.'), issue.message].join(' ')) };
  const { redirectUris, legacy, accessTokenLifetime, refreshTokenLifetime } = read.data;
  const grants = read.data.grants ?? ['authorization_code', 'refresh_token'];
  if (grants.includes('authorization_code') && redirectUris.length === 0) {
    return { faults: ['oauth.redirectUris is empty, but the grant authorization_code needs one'] };
  }
  return { client: { id, name, redirectUris, grants, accessTokenLifetime, refreshTokenLifetime, legacy } };
}
