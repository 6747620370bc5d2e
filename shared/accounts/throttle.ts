import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Settings } from '#config/settings.ts';
import type { StateStore } from '#stores/state-store.ts';

/** Counts failed credentials for all processes together. Waits are in whole seconds. */
export interface Throttle {
  /** Takes one attempt of the account; it counts as failed until `succeed`. Answers the wait, 0 when the attempt may go on. */
  attempt(identity: string, address: string): Promise<number>;
  /** The account's failures are forgotten. */
  succeed(identity: string): Promise<void>;
  /** A credential of this address failed. Answers the wait that begins now, mostly 0. */
  fail(address: string): Promise<number>;
}

const day = 24 * 3600 * 1000;
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** One network for all addresses that a subscriber has: IPv6 counts by /64. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const [left, right] = [head, tail].map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: Math.max(0, 8 - left!.length - right!.length) }, () => '0');
  const groups = plain.includes('::') ? [...left!, ...zeros, ...right!] : left!;
  return `${groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`; // prettier-ignore
}

/**
 * Per account: `auth.maxFailures` in a row, then waits that double, one attempt each; per address: `auth.addressFailures`
 * within `auth.addressWindow`. Nothing is kept in memory, so any number of these agree.
 */
export function createThrottle({
  state,
  settings,
  clock = Date.now,
}: {
  readonly state: Pick<StateStore, 'get' | 'putIfAbsent' | 'increment' | 'remove'>;
  readonly settings: Settings;
  readonly clock?: () => number;
}): Throttle {
  const [maxFailures, firstWait, longestWait] = [settings('auth.maxFailures'), settings('auth.firstWait'), settings('auth.longestWait')]; // prettier-ignore
  const [perAddress, window] = [settings('auth.addressFailures'), settings('auth.addressWindow') * 1000];
  const toSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
  const keysOf = (identity: string) => {
    const account = digest(identity.toLowerCase()); // more spellings give no more attempts
    return [`throttle:count:${account}`, `throttle:wait:${account}`] as const;
  };
  const addressKey = (address: string) => `throttle:address:${digest(networkOf(address))}`;

  async function waitOf(key: string): Promise<number> {
    const until = Number(await state.get(key));
    return until > clock() ? toSeconds(until - clock()) : 0;
  }

  return {
    async attempt(identity, address) {
      const [countKey, waitKey] = keysOf(identity);
      const [wait, seen] = await Promise.all([waitOf(waitKey), state.increment(addressKey(address), 0, window)]);
      if (seen.count >= perAddress) return toSeconds(seen.left);
      if (wait > 0) return wait;
      const { count } = await state.increment(countKey, 1, day);
      if (count < maxFailures) return 0;
      // of several at once, only the one that starts the next wait may try
      const next = Math.min(longestWait, firstWait * 2 ** Math.min(30, count - maxFailures)) * 1000;
      if (await state.putIfAbsent(waitKey, String(clock() + next), next)) return 0;
      return Math.max(1, await waitOf(waitKey));
    },
    async succeed(identity) {
      await state.remove(keysOf(identity));
    },
    async fail(address) {
      const { count, left } = await state.increment(addressKey(address), 1, window);
      return count > perAddress ? toSeconds(left) : 0;
    },
  };
}
