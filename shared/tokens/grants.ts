import type { StateStore } from '#stores/state-store.ts';
import { keyOf } from './bearer.ts';

/** The set of the keys of all that was given under a grant. */
export const grantSetOf = (grantId: string): string => keyOf('GrantSet', grantId);

/** The set of the ids of an account's grants. */
export const accountGrantsOf = (account: string): string => keyOf('AccountGrants', account);

/** What a person allowed a client. Times in seconds since 1970. */
export interface GrantInfo {
  readonly id: string;
  readonly account: string;
  readonly client: string;
  readonly scopes: readonly string[];
  readonly allowedAt: number;
  readonly endsAt: number;
}

interface GrantRecord {
  readonly accountId?: string;
  readonly clientId?: string;
  readonly openid?: { readonly scope?: string };
  readonly iat?: number;
  readonly exp?: number;
}

function toInfo(id: string, text: string): GrantInfo {
  const { accountId = '', clientId = '', openid, iat = 0, exp = 0 } = JSON.parse(text) as GrantRecord;
  return {
    id,
    account: accountId,
    client: clientId,
    scopes: openid?.scope?.split(' ') ?? [],
    allowedAt: iat,
    endsAt: exp,
  };
}

/** The grants of an account that live, newest first. Ended ones leave the account's set. */
export async function listGrants(
  state: Pick<StateStore, 'get' | 'members' | 'removeMember'>,
  account: string,
): Promise<readonly GrantInfo[]> {
  const set = accountGrantsOf(account);
  const grants = await Promise.all(
    (await state.members(set)).map(async (id) => {
      const text = await state.get(keyOf('Grant', id));
      if (text === undefined) await state.removeMember(set, id);
      return text === undefined ? [] : [toInfo(id, text)];
    }),
  );
  return grants.flat().sort((one, other) => other.allowedAt - one.allowedAt);
}

/** Ends a grant and all that was given under it, in all processes. The grant goes first: without it no token counts. */
export async function endGrant(state: Pick<StateStore, 'members' | 'remove'>, grantId: string): Promise<void> {
  await state.remove([keyOf('Grant', grantId)]);
  const set = grantSetOf(grantId);
  await state.remove([...(await state.members(set)), set]);
}
