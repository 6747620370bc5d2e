import { errors, type Adapter, type AdapterFactory, type AdapterPayload } from 'oidc-provider';
import { keyOf } from '#tokens/bearer.ts';
import { accountGrantsOf, endGrant, grantSetOf } from '#tokens/grants.ts';
import type { StateStore } from '#stores/state-store.ts';
import { bindRedirectUri } from './code-redirect.ts';
import { toMetadata, type Clients } from './clients.ts';

export interface AdapterDeps {
  readonly state: StateStore;
  readonly clients: Pick<Clients, 'find'>;
}

const consumable: ReadonlySet<string> = new Set(['AuthorizationCode', 'RefreshToken']);
const stored: ReadonlySet<string> = new Set([
  'AuthorizationCode',
  'RefreshToken',
  'AccessToken',
  'ClientCredentials',
  'Grant',
]);

const nothing = async () => undefined;
const unstored: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

/**
 * What the library keeps, kept in the state store. Keys hold hashes, records no token (`jti` is put back from what was
 * presented). Interactions and the library's own sessions are not kept: nothing ever comes back to them.
 */
export const createAdapters =
  ({ state, clients }: AdapterDeps): AdapterFactory =>
  (model) => {
    if (model === 'Client') return { ...unstored, find: (id) => findClient(clients, id) };
    if (model === 'AuthorizationCode') return bindRedirectUri(createRecords(model, state));
    return stored.has(model) ? createRecords(model, state) : unstored;
  };

async function findClient(clients: AdapterDeps['clients'], id: string): Promise<AdapterPayload | undefined> {
  const client = await clients.find(id);
  return client && toMetadata(client);
}

function createRecords(model: string, state: StateStore): Adapter {
  const consumedKey = (id: string) => `${keyOf(model, id)}:consumed`;

  async function read(id: string): Promise<AdapterPayload | undefined> {
    const text = await state.get(keyOf(model, id));
    return text === undefined ? undefined : { ...(JSON.parse(text) as AdapterPayload), jti: id };
  }

  return {
    ...unstored,
    async upsert(id, payload, expiresIn = 1) {
      const ttl = expiresIn * 1000;
      // the set first: what is not in it would outlive a revocation
      if (payload.grantId !== undefined) await state.addMember(grantSetOf(payload.grantId), keyOf(model, id), ttl);
      if (model === 'Grant' && payload.accountId !== undefined)
        await state.addMember(accountGrantsOf(payload.accountId), id, ttl);
      await state.put(keyOf(model, id), JSON.stringify(toRecord(payload)), ttl);
    },
    async find(id) {
      if (!consumable.has(model)) return read(id);
      const [payload, consumed] = await Promise.all([read(id), state.get(consumedKey(id))]);
      return payload && { ...payload, ...(consumed === undefined ? {} : { consumed: Number(consumed) }) };
    },
    /** One of many at once wins. Each other one is a second use: it ends the grant. */
    async consume(id) {
      const payload = await read(id);
      const now = Math.floor(Date.now() / 1000);
      const left = Math.max(1, (payload?.exp ?? now) - now);
      if (payload && (await state.putIfAbsent(consumedKey(id), String(now), left * 1000))) return;
      if (payload?.grantId !== undefined) await endGrant(state, payload.grantId);
      throw new errors.InvalidGrant('already used');
    },
    async destroy(id) {
      if (model === 'Grant') await endGrant(state, id);
      else await state.remove([keyOf(model, id)]);
    },
    revokeByGrantId: (grantId) => endGrant(state, grantId),
  };
}

/** Without the token itself. The session is named only where the token ends with it. */
function toRecord(payload: AdapterPayload): object {
  const { jti: _token, sessionUid, expiresWithSession, ...record } = payload;
  return {
    ...record,
    ...(expiresWithSession === true ? { sessionUid, expiresWithSession } : {}),
  };
}
