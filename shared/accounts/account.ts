import type { Identity } from './identity.ts';

/** An account as the store holds it. `id` of the store is the identity. */
export interface Account {
  /** `<user>@<type>` */
  readonly identity: string;
  readonly type: string;
  readonly name: string;
  readonly disabled: boolean;
  /** Concerns the sign-in page alone, which then asks for a new password. */
  readonly needPasswordReset: boolean;
  readonly roles: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly passwordHash: string;
  /** When it was made, ms since 1970: what was issued earlier belonged to another account of that name. */
  readonly created: number;
  /** When the password was last set, ms since 1970; a new hash of the same password does not count. */
  readonly passwordSince: number;
}

export type Verdict =
  | { readonly account: Account }
  /** Unknown, wrong and disabled are one. */
  | { readonly refused: 'wrong' }
  /** @param wait seconds until another attempt counts */
  | { readonly refused: 'throttled'; readonly wait: number };

/** Accounts, their passwords and the throttle before them. */
export interface Accounts {
  /** Undefined: no such account. Answers within a second of a change in any process. */
  find(identity: string): Promise<Account | undefined>;
  list(): Promise<readonly Account[]>;
  /** Same work and time whether the account is unknown, disabled or the password wrong. */
  verify(identity: string, password: string, address: string): Promise<Verdict>;
  /** Faults: the identity exists, or is not `<user>@<type>`. */
  create(account: NewAccount): Promise<Account>;
  change(identity: string, change: AccountChange): Promise<Account>;
  remove(identity: string): Promise<void>;
  /** Called with the identity after a change in any process. */
  onChange(receive: (identity: string) => void): () => void;
}

export interface NewAccount extends AccountChange {
  readonly identity: string;
}

export interface AccountChange {
  readonly name?: string;
  readonly disabled?: boolean;
  readonly needPasswordReset?: boolean;
  readonly roles?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  /** In the clear; stored as argon2id. */
  readonly password?: string;
  /** A hash made elsewhere: argon2id or `pbkdf2$10000$…`. */
  readonly passwordHash?: string;
}

export const toIdentity = ({ identity, name, properties }: Account): Identity => ({ id: identity, name, properties });

/** Clocks of two processes may differ by so much, ms. */
const skew = 1000;

/** Whether what was issued to this name at `issued` (ms) may still act for the account: enabled, and not made anew since. */
export const holdsFor = (account: Account | undefined, issued: number): account is Account =>
  account !== undefined && !account.disabled && account.created <= issued + skew;

/** The same for a browser session, which a new password ends. */
export const sessionHoldsFor = (account: Account | undefined, signedIn: number): account is Account =>
  holdsFor(account, signedIn) && account.passwordSince <= signedIn + skew;
