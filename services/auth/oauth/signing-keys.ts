import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { JWK } from 'oidc-provider';
import { seal, unseal } from '#tokens/seal.ts';
import type { StateStore } from '#stores/state-store.ts';

/** Private keys as JWK (RFC 7517). */
export type SigningKeys = readonly JWK[];

const place = 'oauth:signing-keys';
const year = 365 * 24 * 3600 * 1000;

/** RFC 7638: the members that make the key, in the alphabet's order. */
const thumbprint = ({ crv, e, kty, n, x, y }: JWK): string =>
  createHash('sha256').update(JSON.stringify({ crv, e, kty, n, x, y })).digest('base64url');

function toJwk(key: KeyObject, alg: string): JWK {
  const jwk = key.export({ format: 'jwk' }) as JWK;
  return { ...jwk, use: 'sig', alg, kid: thumbprint(jwk) };
}

const makeKeys = (): JWK[] => [
  toJwk(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'RS256'),
  toJwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'ES256'),
];

/**
 * The keys that sign ID tokens: made once, kept encrypted, the same in every process and after a restart.
 * Keys that another secret encrypted are made anew.
 */
export async function loadSigningKeys(
  state: Pick<StateStore, 'get' | 'putIfAbsent' | 'take' | 'touch'>,
  key: Buffer,
): Promise<SigningKeys> {
  for (;;) {
    const kept = await state.get(place);
    if (kept === undefined) {
      await state.putIfAbsent(place, seal(key, JSON.stringify(makeKeys()), place), year);
      continue; // the other process may have been first
    }
    const opened = unseal(key, kept, place);
    if (opened !== undefined) {
      await state.touch(place, year);
      return JSON.parse(opened) as JWK[];
    }
    await state.take(place);
  }
}
