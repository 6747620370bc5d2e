import { expect } from 'chai';
import { deriveKey, deriveKeys } from './keys.ts';
import { seal, unseal } from './seal.ts';

describe('keys', () => {
  const secret = 'a secret of an installation, long enough';

  it('are the same for the same secret, and another for each purpose', () => {
    const { cookie, encryption, digest } = deriveKeys(secret);
    expect(deriveKeys(secret).cookie.equals(cookie)).to.equal(true);
    expect(new Set([cookie, encryption, digest].map(String)).size).to.equal(3);
    expect(deriveKeys(`${secret}.`).cookie.equals(cookie)).to.equal(false);
  });

  it('open what they sealed, only at its place', () => {
    const key = deriveKey(secret, 'test');
    const sealed = seal(key, 'grüße', 'place');
    expect(unseal(key, sealed, 'place')).to.equal('grüße');
    expect(unseal(key, sealed, 'other')).to.equal(undefined);
    expect(unseal(deriveKey(secret, 'other'), sealed, 'place')).to.equal(undefined);
    expect(unseal(key, sealed.slice(0, 20), 'place')).to.equal(undefined);
    const flipped = Buffer.from(sealed, 'base64url');
    flipped[flipped.length - 1]! ^= 1;
    expect(unseal(key, flipped.toString('base64url'), 'place')).to.equal(undefined);
  });
});
