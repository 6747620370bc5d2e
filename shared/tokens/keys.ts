import { hkdfSync } from 'node:crypto';

/** What the keys of an installation are for. A key of one purpose says nothing about another. */
export type KeyPurpose = 'cookie' | 'encryption' | 'digest';

export type Keys = Readonly<Record<KeyPurpose, Buffer>>;

/** 32 bytes for one purpose, by HKDF-SHA256 (RFC 5869). The secret has 32 bytes or more. */
export const deriveKey = (secret: string | Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'portico', purpose, 32));

/** All keys of the installation: the same in each of its processes. */
export const deriveKeys = (secret: string | Buffer): Keys => ({
  cookie: deriveKey(secret, 'cookie'),
  encryption: deriveKey(secret, 'encryption'),
  digest: deriveKey(secret, 'digest'),
});
