import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

interface Remembered {
  readonly digest: Buffer;
  readonly passwordHash: string;
  readonly until: number;
}

const mostAccounts = 1000;
const mostAddresses = 100;

/** Under the key of the installation, so that what is in memory gives no password to guess at without it. */
export const digestCredential = (key: KeyObject, identity: string, password: string): Buffer =>
  createHmac('sha256', key).update(`${identity.length}:${identity}${password}`).digest();

/**
 * Passwords that were right a moment ago, each for the address it came from. A wrong guess from that address forgets it,
 * so that guessing against the memory is no faster than guessing against the hash.
 */
export function createVerifiedMemory(seconds: number, clock: () => number) {
  const accounts = new Map<string, Map<string, Remembered>>();
  return {
    /** The hash against which these credentials were right. */
    recall(identity: string, address: string, digest: Buffer): string | undefined {
      const held = accounts.get(identity)?.get(address);
      if (!held) return undefined;
      if (held.until > clock() && timingSafeEqual(held.digest, digest)) return held.passwordHash;
      accounts.get(identity)?.delete(address);
      return undefined;
    },
    remember(identity: string, address: string, digest: Buffer, passwordHash: string): void {
      if (seconds === 0) return;
      const ofAccount = accounts.get(identity) ?? new Map<string, Remembered>();
      accounts.delete(identity);
      accounts.set(identity, ofAccount.set(address, { digest, passwordHash, until: clock() + seconds * 1000 }));
      if (ofAccount.size > mostAddresses) ofAccount.delete(ofAccount.keys().next().value!);
      if (accounts.size > mostAccounts) accounts.delete(accounts.keys().next().value!);
    },
    forget(identity: string): void {
      accounts.delete(identity);
    },
  };
}
