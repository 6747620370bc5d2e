import { createSecretKey } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Settings } from '#config/settings.ts';
import type { Account, Verdict } from './account.ts';
import { createBound } from './bounded.ts';
import { isOutdated, verifyPassword } from './password.ts';
import type { Throttle } from './throttle.ts';
import { createVerifiedMemory, digestCredential } from './verified-memory.ts';

export interface VerifierDeps {
  readonly settings: Settings;
  readonly key: Buffer;
  readonly clock: () => number;
  readonly throttle: Throttle;
  /** May answer from memory. */
  readonly recall: (identity: string) => Promise<Account | undefined>;
  /** From the store itself. */
  readonly load: (identity: string) => Promise<Account | undefined>;
  /** Whether any account still has an old hash. */
  readonly hasLegacy: () => Promise<boolean>;
  /** Stores a new hash of the same password; answers the account as it then stands. */
  readonly rehash: (account: Account, password: string) => Promise<Account>;
}

const mostWaiting = 1000;

/** Checks a password: first the memory of this process, then the throttle, then the hash. Equal checks at once are one. */
export function createVerifier(deps: VerifierDeps) {
  const { throttle } = deps;
  const key = createSecretKey(deps.key); // five times faster than a buffer
  const memory = createVerifiedMemory(deps.settings('auth.remember'), deps.clock);
  const bound = createBound(Math.min(4, availableParallelism()), mostWaiting);
  const flights = new Map<string, Promise<Verdict>>();

  async function check(identity: string, password: string, address: string, digest: Buffer): Promise<Verdict> {
    const wait = await throttle.attempt(identity, address);
    if (wait > 0) return { refused: 'throttled', wait };
    const [found, legacyToo] = await Promise.all([deps.load(identity), deps.hasLegacy()]);
    const account = found?.disabled === false ? found : undefined;
    if (!(await verifyPassword(account?.passwordHash, password, legacyToo)) || !account) {
      await throttle.fail(address);
      return { refused: 'wrong' };
    }
    const [current] = await Promise.all([
      isOutdated(account.passwordHash) ? deps.rehash(account, password) : account,
      throttle.succeed(identity),
    ]);
    memory.remember(identity, address, digest, current.passwordHash);
    return { account: current };
  }

  return {
    async verify(identity: string, password: string, address: string): Promise<Verdict> {
      const digest = digestCredential(key, identity, password);
      const passwordHash = memory.recall(identity, address, digest);
      if (passwordHash !== undefined) {
        const account = await deps.recall(identity);
        if (account && !account.disabled && account.passwordHash === passwordHash) return { account };
      }
      const flight = `${digest.toString('base64url')} ${address}`;
      const running = flights.get(flight);
      if (running) return running;
      const started = bound(() => check(identity, password, address, digest)).finally(() => flights.delete(flight));
      flights.set(flight, started);
      return started;
    },
    forget: (identity: string) => memory.forget(identity),
  };
}
