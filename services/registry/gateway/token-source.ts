import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';

/** The one token of a client, fetched by one request at a time and kept in memory. */
export interface TokenSource {
  /** While a new one is not to be had, the old one, until it is refused. Throws `bad_gateway`, `gateway_timeout`. */
  current(): Promise<string>;
  /** Says that the service behind refused `token`. True: another one may be had from `current`. */
  refuse(token: string): boolean;
}

export interface TokenSourceDeps {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A bare token does not tell its end: it is replaced after so many ms. */
  readonly renewAfterMs: number;
  readonly timeoutMs: number;
  readonly log: Log;
  readonly clock: () => number;
}

/** A refusal may be about rights and not about the token: so many renewals at once, then one in each interval. */
const renewals = { atOnce: 5, intervalMs: 60_000 };

/** A client that is refused is not tried again for so long, lest its account be locked. */
const refusalHoldsMs = 1000;

const tokenForm = /^[A-Za-z0-9._~+/=-]{8,4096}$/;

type Fetched = { readonly token: string } | { readonly refused: string };

async function fetchToken({ url, clientId, clientSecret, timeoutMs }: TokenSourceDeps): Promise<Fetched> {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, { headers: { authorization, accept: 'text/plain' }, redirect: 'manual', signal });
    const token = (await answer.text()).trim();
    if (answer.status !== 200) return { refused: `status ${answer.status}` };
    return tokenForm.test(token) ? { token } : { refused: 'what was given is no token' };
  } catch (cause) {
    throw new AppError(signal.aborted ? 'gateway_timeout' : 'bad_gateway', `no token from ${url}`, { cause });
  }
}

/** `renewals` as a bucket that fills again with time. */
function createBudget(clock: () => number): () => boolean {
  let left = renewals.atOnce;
  let since = clock();
  return () => {
    const filled = Math.floor((clock() - since) / renewals.intervalMs);
    left = Math.min(renewals.atOnce, left + filled);
    since = left === renewals.atOnce ? clock() : since + filled * renewals.intervalMs;
    if (left === 0) return false;
    left -= 1;
    return true;
  };
}

export function createTokenSource(deps: TokenSourceDeps): TokenSource {
  const { clock, log } = deps;
  const mayRenew = createBudget(clock);
  let held: { readonly token: string; readonly since: number } | undefined;
  let refusal: { readonly why: string; readonly since: number } | undefined;
  let flight: Promise<string> | undefined;

  const refused = (why: string) => new AppError('bad_gateway', `no token for ${deps.clientId} at ${deps.url}: ${why}`);

  async function renew(): Promise<string> {
    const fetched = await fetchToken(deps);
    if ('refused' in fetched) {
      refusal = { why: fetched.refused, since: clock() };
      throw refused(fetched.refused);
    }
    held = { token: fetched.token, since: clock() };
    log.debug('the gateway has a new token', { client: deps.clientId });
    return fetched.token;
  }

  return {
    async current() {
      if (held && clock() - held.since < deps.renewAfterMs) return held.token;
      const old = held?.token;
      try {
        if (refusal && clock() - refusal.since < refusalHoldsMs) throw refused(refusal.why);
        return await (flight ??= renew().finally(() => (flight = undefined)));
      } catch (error) {
        // the old one may live on: whoever floods the client's account with wrong secrets does not stop the gateway
        if (old === undefined || held?.token !== old) throw error;
        return old;
      }
    },
    refuse(token) {
      if (held?.token !== token) return true; // somebody else saw it before
      if (!mayRenew()) return false;
      held = undefined;
      return true;
    },
  };
}
