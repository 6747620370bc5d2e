import { createHmac, hash, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';

/** `__Host-` binds the cookie to this host and to TLS (RFC 6265bis section 4.1.3.2). */
export const cookieName = (secure: boolean): string => (secure ? '__Host-portico' : 'portico');

type Key = Buffer | KeyObject;

const signature = (key: Key, id: string): Buffer => createHmac('sha256', key).update(`session:${id}`).digest();

/** A new session id with its signature behind it: the whole is one cookie. */
export function newCookieValue(key: Key): string {
  const id = randomBytes(32).toString('base64url');
  return `${id}.${signature(key, id).toString('base64url')}`;
}

/** The id, undefined when the signature is not ours. */
export function readCookieValue(key: Key, value: string): string | undefined {
  const [, id, signed] = /^([\w-]{43})\.([\w-]{43})$/.exec(value) ?? [];
  if (id === undefined || signed === undefined) return undefined;
  const given = Buffer.from(signed, 'base64url');
  return timingSafeEqual(given, signature(key, id)) ? id : undefined;
}

/** How the store names a session: public, nobody can go back to the id. */
export const uidOfId = (id: string): string => hash('sha256', id, 'base64url');

/** The value of the first cookie of that name; attributes that old clients send back are cookies of other names. */
export function findCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [given = '', ...value] = pair.split('=');
    if (given.trim() === name) return value.join('=').trim().replace(/^"(.*)"$/, '$1'); // prettier-ignore
  }
  return undefined;
}
