import { createHmac, timingSafeEqual } from 'node:crypto';

/** A request that wants a fresh sign-in carries this when it comes back, so that it is not asked for again and again. */
export const askedParameter = 'asked';

const mac = (key: Buffer, seconds: string, client: string): string =>
  createHmac('sha256', key).update(`asked at ${seconds} by ${client}`).digest('base64url').slice(0, 22);

export const writeAskedAt = (key: Buffer, seconds: number, client: string): string =>
  `${seconds}.${mac(key, String(seconds), client)}`;

/** Seconds since 1970; undefined when absent or not written here for this client. */
export function readAskedAt(key: Buffer, value: string | null, client: string): number | undefined {
  const [seconds = '', given = ''] = (value ?? '').split('.');
  const expected = mac(key, seconds, client);
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return undefined;
  return Number(seconds);
}
