import { expect } from 'chai';
import { pbkdf2Sync } from 'node:crypto';
import { hashPassword, isKnownHash, isOutdated, verifyPassword } from './password.ts';

const salt = 'a1b2c3d4e5f60718';
const legacy = `pbkdf2$10000$${pbkdf2Sync('old secret', Buffer.from(salt, 'hex'), 10_000, 64, 'sha1').toString('hex')}$${salt}`;

describe('passwords', () => {
  it('are argon2id, each hash its own, and verify', async () => {
    const [one, two] = await Promise.all([hashPassword('tick'), hashPassword('tick')]);
    expect(one).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).to.not.equal(two);
    expect(await verifyPassword(one, 'tick', false)).to.equal(true);
    expect(await verifyPassword(one, 'tock', false)).to.equal(false);
    expect(isOutdated(one)).to.equal(false);
  });

  it('verify against the hash of an old installation, which is then outdated', async () => {
    expect(await verifyPassword(legacy, 'old secret', true)).to.equal(true);
    expect(await verifyPassword(legacy, 'old secre', true)).to.equal(false);
    expect(isOutdated(legacy)).to.equal(true);
  });

  it('never verify without a hash, against a broken one, or when too long', async () => {
    for (const stored of [undefined, '', 'pbkdf2$10000$zz$00', 'plain', '$argon2id$v=19$m=19456,t=2,p=1$x$y']) {
      expect(await verifyPassword(stored, 'not a password', true)).to.equal(false);
    }
    const long = 'x'.repeat(1025);
    expect(await verifyPassword(await hashPassword(long), long, false)).to.equal(false);
  });

  it('take the hash forms that are known and no other', () => {
    expect(isKnownHash(legacy)).to.equal(true);
    for (const hash of ['md5$aa', 'pbkdf2$10000$$00', '$argon2i$v=19$m=4096,t=3,p=1$aa$bb', legacy + '!']) {
      expect(isKnownHash(hash), hash).to.equal(false);
    }
  });
});
