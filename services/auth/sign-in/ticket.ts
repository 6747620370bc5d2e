import { createHash } from 'node:crypto';
import type { Account } from '#accounts/account.ts';
import { seal, unseal } from '#tokens/seal.ts';

const place = 'new password';
const lifetime = 10 * 60_000;

interface Ticket {
  readonly identity: string;
  /** Of the password hash: the ticket ends with the password it was given for. */
  readonly print: string;
  readonly ends: number;
}

const printOf = ({ passwordHash }: Account): string => createHash('sha256').update(passwordHash).digest('base64url');

/** Says that the right password was just given, and may be replaced within ten minutes, once. */
export const writeTicket = (key: Buffer, account: Account): string => {
  const ticket: Ticket = { identity: account.identity, print: printOf(account), ends: Date.now() + lifetime };
  return seal(key, JSON.stringify(ticket), place);
};

/** The account that the ticket is for, when it still holds. */
export async function readTicket(
  key: Buffer,
  text: string,
  find: (identity: string) => Promise<Account | undefined>,
): Promise<Account | undefined> {
  const opened = unseal(key, text, place);
  if (opened === undefined) return undefined;
  const { identity, print, ends } = JSON.parse(opened) as Ticket;
  if (ends < Date.now()) return undefined;
  const account = await find(identity);
  return account && !account.disabled && account.needPasswordReset && printOf(account) === print ? account : undefined;
}
