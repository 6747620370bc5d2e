import { setTimeout as delay } from 'node:timers/promises';
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { keyOf } from '#tokens/bearer.ts';
import { deriveKey } from '#tokens/keys.ts';
import { seal, unseal } from '#tokens/seal.ts';
import type { StateStore } from '#stores/state-store.ts';

export type GrantHandler = (ctx: KoaContextWithOIDC) => Promise<void>;

interface Answer {
  readonly client: string;
  readonly grant: string;
  readonly body: unknown;
}

const pending = 'pending';
const longestFlight = 15_000; // milliseconds
const pollEvery = 20;

/**
 * A refresh whose answer was lost may be asked again for `seconds` and gets the same answer; many at once get one.
 * The answer lies encrypted under the presented token, of which the store has only a hash. Later, reuse ends the grant.
 */
export function withReplay(
  state: Pick<StateStore, 'get' | 'put' | 'putIfAbsent' | 'remove'>,
  seconds: number,
  handler: GrantHandler,
): GrantHandler {
  if (seconds === 0) return handler;

  async function answerAndKeep(ctx: KoaContextWithOIDC, token: string, place: string): Promise<void> {
    try {
      await handler(ctx);
    } catch (error) {
      await state.remove([place]);
      throw error;
    }
    const answer: Answer = { client: ctx.oidc.client!.clientId, grant: ctx.oidc.entities.Grant!.jti, body: ctx.body };
    await state.put(place, seal(deriveKey(token, 'refresh answer'), JSON.stringify(answer), place), seconds * 1000);
  }

  async function answerAgain(ctx: KoaContextWithOIDC, token: string, place: string, kept: string): Promise<void> {
    const opened = unseal(deriveKey(token, 'refresh answer'), kept, place);
    const answer = opened === undefined ? undefined : (JSON.parse(opened) as Answer);
    if (answer?.client !== ctx.oidc.client!.clientId) throw new errors.InvalidGrant('client mismatch');
    if ((await state.get(keyOf('Grant', answer.grant))) === undefined) throw new errors.InvalidGrant('grant not found');
    ctx.body = answer.body;
  }

  return async (ctx) => {
    const token = ctx.oidc.params?.['refresh_token'];
    if (typeof token !== 'string') return handler(ctx);
    const place = keyOf('RefreshAnswer', token);
    const end = Date.now() + longestFlight;
    while (Date.now() < end) {
      if (await state.putIfAbsent(place, pending, longestFlight)) return answerAndKeep(ctx, token, place);
      const kept = await state.get(place);
      if (kept !== undefined && kept !== pending) return answerAgain(ctx, token, place, kept);
      await delay(pollEvery);
    }
    throw new errors.TemporarilyUnavailable('the first request with this refresh token has not ended');
  };
}
