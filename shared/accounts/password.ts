import { type Algorithm, hash as argon2, verify as verifyArgon2 } from '@node-rs/argon2';
import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** 19 MiB, two passes, one lane: RFC 9106 with the memory that OWASP names for servers. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const current = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;
const argon2id = 2 as Algorithm; // a const enum, which type stripping cannot read

/** Longest password, bytes; a longer one is wrong. */
export const longestPassword = 1024;

const legacyForm = /^pbkdf2\$(\d{1,7})\$([0-9a-f]{2,256})\$([0-9a-f]{2,256})$/i;
const argon2Form = /^\$argon2id\$v=19\$m=\d{1,6},t=\d{1,2},p=\d{1,2}\$[A-Za-z\d+/]{11,86}\$[A-Za-z\d+/]{16,86}$/;

export const isLegacyHash = (stored: string): boolean => stored.startsWith('pbkdf2$');
export const isKnownHash = (stored: string): boolean => legacyForm.test(stored) || argon2Form.test(stored);
/** Whether the hash should be made anew at the next login. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(current);

export const hashPassword = (password: string): Promise<string> => argon2(password, { ...cost, algorithm: argon2id });

/** PBKDF2-HMAC-SHA1 as old installations stored it: `pbkdf2$<rounds>$<hash hex>$<salt hex>`. */
async function verifyLegacy(stored: string, password: string): Promise<boolean> {
  const [, rounds, hash, salt] = legacyForm.exec(stored) ?? [];
  if (rounds === undefined || hash === undefined || salt === undefined) return false;
  const expected = Buffer.from(hash, 'hex');
  const made = await promisify(pbkdf2)(password, Buffer.from(salt, 'hex'), Number(rounds), expected.length, 'sha1');
  return timingSafeEqual(made, expected);
}

// of random passwords that nobody knows
const dummy = `${current}dqkYZWc5cH/YEJxvXnuyxA$//2FYcIsVZ6SlqS+mxHiLjQHd9iee5t1ie0vleyYiIE`;
const legacyDummy = `pbkdf2$10000$${'5f'.repeat(64)}$${'a7'.repeat(16)}`;

/**
 * Whether the password is the one that was hashed. A failure costs the same for every kind of hash, and for none at all.
 * @param legacyToo some account has an old hash, so every failure must cost what one of those costs
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
  legacyToo: boolean,
): Promise<boolean> {
  const usable = stored !== undefined && isKnownHash(stored) && Buffer.byteLength(password) <= longestPassword;
  const legacy = usable && isLegacyHash(stored);
  const tried = usable ? password : 'not a password';
  const asArgon2 = await verifyArgon2(usable && !legacy ? stored : dummy, tried);
  if (usable && !legacy && asArgon2) return true;
  if (!legacy && !legacyToo) return false;
  return (await verifyLegacy(legacy ? stored : legacyDummy, tried)) && legacy;
}
