import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** Encrypts and authenticates (AES-256-GCM). `about` binds the result to its place: it opens nowhere else. */
export function seal(key: Buffer, text: string, about: string): string {
  const nonce = randomBytes(nonceLength);
  const encrypt = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(about));
  const encrypted = [encrypt.update(text, 'utf8'), encrypt.final()];
  return Buffer.concat([nonce, encrypt.getAuthTag(), ...encrypted]).toString('base64url');
}

/** Undefined when the key, the place or a bit is another. */
export function unseal(key: Buffer, sealed: string, about: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < nonceLength + tagLength) return undefined;
  const decrypt = createDecipheriv(cipher, key, bytes.subarray(0, nonceLength)).setAAD(Buffer.from(about));
  decrypt.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
  try {
    return Buffer.concat([decrypt.update(bytes.subarray(nonceLength + tagLength)), decrypt.final()]).toString('utf8');
  } catch {
    return undefined; // not authentic
  }
}
