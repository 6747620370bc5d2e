import compose from 'koa-compose';
import type { Provider, KoaContextWithOIDC } from 'oidc-provider';
import { qualify } from '#accounts/identity.ts';
import { AppError } from '#errors.ts';
import { sendPage, type PageFrame } from '#pages/page.ts';
import { listGrants } from '#tokens/grants.ts';
import type { StateStore } from '#stores/state-store.ts';
import { address } from '../address.ts';
import { readForm } from '../read-body.ts';
import type { AuthContext, AuthMiddleware } from '../state.ts';
import { askedParameter, readAskedAt, writeAskedAt } from './asked-at.ts';
import { consentPage } from './consent-page.ts';
import { stateOf } from './request-state.ts';
import { defaultScope } from './scopes.ts';

export const grantPath = '/oauth2/grant';

export interface GrantDeps {
  readonly provider: Provider;
  readonly state: Pick<StateStore, 'get' | 'members' | 'removeMember'>;
  readonly frame: PageFrame;
  readonly key: Buffer;
  /** Seconds. */
  readonly refreshLifetime: number;
}

type Interaction = NonNullable<KoaContextWithOIDC['oidc']['entities']['Interaction']>;

/**
 * The authorization endpoint: GET shows the consent page, POST is the person's answer and redirects to the client.
 * Both go through the library as a GET (it reads the query), so that all its checks and its answers hold for both.
 */
export function createGrantEndpoint(deps: GrantDeps): AuthMiddleware {
  const library = compose(deps.provider.middleware);
  return async (ctx, next) => {
    if (ctx.path !== grantPath) return next();
    const { method } = ctx;
    if (!['GET', 'HEAD', 'POST'].includes(method))
      throw new AppError('method_not_allowed', undefined, { headers: { Allow: 'GET, HEAD, POST' } });
    const state = stateOf(ctx);
    state.answer = method === 'POST' ? await readAnswer(ctx) : undefined;
    const asked = prepareQuery(ctx, deps.key);
    try {
      ctx.method = 'GET';
      await library(ctx, async () => {});
    } finally {
      ctx.method = method;
    }
    ctx.remove('Set-Cookie'); // the library's own; the session's cookie is set later
    if (state.failure !== undefined) return undefined;
    const interaction = (ctx as unknown as KoaContextWithOIDC).oidc.entities.Interaction;
    if (interaction?.prompt.name === 'login') return toSignIn(ctx, interaction, asked, deps.key);
    if (interaction) return askConsent(ctx, interaction, deps);
    return undefined;
  };
}

/** Absent: allow. */
async function readAnswer(ctx: AuthContext): Promise<'allow' | 'deny'> {
  const answer = (await readForm(ctx)).get('answer') ?? 'allow';
  if (answer === 'allow' || answer === 'deny') return answer;
  throw new AppError('bad_request', undefined, { publicText: 'answer is allow or deny' });
}

/** A default scope (nothing granted would mean access_denied); `offline_access` counts although the person is asked anyway. */
function prepareQuery(ctx: AuthContext, key: Buffer): URLSearchParams {
  const query = new URLSearchParams(ctx.querystring);
  const id = query.getAll('client_id');
  if (id.length === 1) query.set('client_id', qualify(id[0]!, 'system'));
  const asked = new URLSearchParams(query);
  asked.delete(askedParameter);
  const client = query.get('client_id') ?? '';
  stateOf(ctx).redirectUriAsked = query.has('redirect_uri');
  stateOf(ctx).askedAt = readAskedAt(key, query.get(askedParameter), client);
  if (!query.has('scope') || query.get('scope') === '') query.set('scope', defaultScope);
  const wantsToStay = query.get('scope')?.split(' ').includes('offline_access') === true;
  if (wantsToStay && !query.has('prompt')) query.set('prompt', 'consent');
  if (wantsToStay && query.get('prompt') === 'login') query.set('prompt', 'login consent');
  ctx.querystring = String(query);
  return asked;
}

function toSignIn(ctx: AuthContext, interaction: Interaction, asked: URLSearchParams, key: Buffer): void {
  if (interaction.prompt.reasons.includes('sign_in_again')) {
    asked.set(askedParameter, writeAskedAt(key, Math.floor(Date.now() / 1000), asked.get('client_id') ?? ''));
  }
  ctx.status = 302;
  ctx.redirect(address('/auth', { continue: `${grantPath}?${asked.toString()}` }));
}

async function askConsent(ctx: AuthContext, { params }: Interaction, deps: GrantDeps): Promise<void> {
  const client = (ctx as unknown as KoaContextWithOIDC).oidc.client!;
  const account = stateOf(ctx).signedIn!.account;
  const redirectUri = String(params['redirect_uri']);
  const known = (ctx as unknown as KoaContextWithOIDC).oidc.requestParamOIDCScopes;
  const grants = await listGrants(deps.state, account);
  const before = grants.filter((grant) => grant.client === client.clientId);
  ctx.remove('Location');
  ctx.status = 200;
  const page = consentPage(deps.frame, {
    client: { id: client.clientId, name: client.clientName ?? client.clientId },
    account,
    scopes: [...known],
    redirectUri,
    here: ctx.originalUrl, // whole, to the letter: what is shown is what is asked again
    refreshDays: Math.max(1, Math.round(deps.refreshLifetime / 86_400)),
    before: before[0] && { scopes: before.flatMap(({ scopes }) => scopes), at: new Date(before[0].allowedAt * 1000) },
  });
  sendPage(ctx, page, { formAction: [formTarget(redirectUri)] });
}

/** Chromium checks `form-action` on redirects too: the client's origin, or its own scheme. */
function formTarget(redirectUri: string): string {
  const url = new URL(redirectUri);
  return url.origin === 'null' ? url.protocol : url.origin;
}
