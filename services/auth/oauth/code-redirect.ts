import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import { currentContext } from './internals.ts';
import { stateOf } from './request-state.ts';

type CodeRecord = AdapterPayload & { readonly redirectUriAsked?: boolean };

/** A code whose grant was asked with `redirect_uri` is exchanged with it (RFC 6749 section 4.1.3); one without needs none. */
export const bindRedirectUri = (adapter: Adapter): Adapter => ({
  ...adapter,
  upsert(id, payload, expiresIn) {
    const { redirectUriAsked } = stateOf(currentContext());
    return adapter.upsert(id, { ...payload, ...(redirectUriAsked ? { redirectUriAsked } : {}) }, expiresIn);
  },
  async find(id) {
    const record = (await adapter.find(id)) as CodeRecord | undefined;
    if (record?.redirectUriAsked === true && currentContext().oidc.body?.['redirect_uri'] === undefined) {
      throw new errors.InvalidRequest('redirect_uri is missing, the grant was asked with it');
    }
    return record;
  },
});
