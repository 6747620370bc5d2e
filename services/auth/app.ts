import Koa from 'koa';
import type { Accounts } from '#accounts/account.ts';
import type { Settings } from '#config/settings.ts';
import { AppError } from '#errors.ts';
import { accessLog } from '#http/access-log.ts';
import { clientAddress } from '#http/client-address.ts';
import { renderErrors } from '#http/render-errors.ts';
import { requestId } from '#http/request-id.ts';
import { securityHeaders } from '#http/security-headers.ts';
import type { Log } from '#log.ts';
import { loadAssets } from '#pages/assets.ts';
import { createFrame } from '#pages/page.ts';
import { serveAssets } from '#pages/serve-assets.ts';
import { isCrossSite } from '#sessions/cross-site.ts';
import type { Sessions } from '#sessions/sessions.ts';
import type { StateStore } from '#stores/state-store.ts';
import type { Keys } from '#tokens/keys.ts';
import { asPageOrJson } from './faces.ts';
import { createClients } from './oauth/clients.ts';
import { createGrantEndpoint } from './oauth/one-step-grant.ts';
import { answerProtocol, publicAddress, rethrowFailure } from './oauth/protocol-endpoints.ts';
import { createProvider } from './oauth/provider.ts';
import { createRenderError } from './oauth/render-error.ts';
import { knownScopes } from './oauth/scopes.ts';
import type { SigningKeys } from './oauth/signing-keys.ts';
import { answerPages } from './routes.ts';
import { loadSession, recogniseSession, secureCookies } from './session.ts';
import type { AuthMiddleware, AuthState } from './state.ts';

export interface AuthDeps {
  readonly log: Log;
  /** base_url without a trailing slash. */
  readonly publicUrl: string;
  readonly trustProxy: number | readonly string[];
  readonly accounts: Pick<Accounts, 'find' | 'verify' | 'change'>;
  readonly sessions: Sessions;
  readonly state: StateStore;
  readonly settings: Settings;
  readonly keys: Keys;
  /** From `loadSigningKeys`. */
  readonly signingKeys: SigningKeys;
  /** Names of the services, each a scope. */
  readonly services: readonly string[];
  /** In the footer of the pages. */
  readonly caption: string;
  /** Where the console is, when there is one. */
  readonly consoleUrl?: string | undefined;
}

const assetsPath = '/auth/assets';

/** The way of every call to sign-in and OAuth, in order. */
export function createAuthApp(deps: AuthDeps): Koa<AuthState> {
  const { log, publicUrl, accounts, sessions, state, settings, keys } = deps;
  const secure = publicUrl.startsWith('https:');
  const assets = loadAssets();
  const frame = createFrame(assets, assetsPath, { caption: deps.caption, consoleUrl: deps.consoleUrl });
  const defaultRedirectUri = settings('oauth.defaultRedirectUri') || `${publicUrl}/oauth2/code`;
  const clients = createClients({ accounts, defaultRedirectUri, log });
  const provider = createProvider({
    ...deps,
    clients,
    scopes: knownScopes(deps.services, settings('rest.scopes')),
    isSessionAlive: (uid) => sessions.isAlive(uid),
    renderError: createRenderError(frame),
  });
  const nameOfClient = async (id: string) => (await clients.find(id))?.name;
  const grant = { provider, state, frame, key: keys.digest, refreshLifetime: settings('oauth.refreshTokenLifetime') };

  const app = new Koa<AuthState>();
  app.use(requestId(log));
  app.use(clientAddress(deps.trustProxy));
  app.use(accessLog(log));
  app.use(renderErrors(asPageOrJson(frame)));
  app.use(securityHeaders({ secure }));
  app.use(serveAssets(assets, assetsPath));
  app.use(publicAddress(publicUrl));
  app.use(rethrowFailure); // 429, 503
  app.use(answerProtocol(provider)); // the token endpoint and its kin; 405
  app.use(refuseCrossSite(publicUrl)); // 403
  app.use(secureCookies(secure));
  app.use(loadSession(app, sessions, { key: keys.cookie, secure }));
  app.use(recogniseSession);
  app.use(createGrantEndpoint(grant)); // consent, code; 302 to sign-in; 400, 405
  app.use(answerPages({ accounts, frame, key: keys.encryption, nameOfClient })); // 401, 404, 405, 415, 429
  app.silent = true; // errors of a broken answer are in the access log
  return app;
}

const refuseCrossSite =
  (publicUrl: string): AuthMiddleware =>
  (ctx, next) => {
    const { method } = ctx;
    const [origin, secFetchSite] = [ctx.get('origin'), ctx.get('sec-fetch-site')];
    if (isCrossSite({ method, origin, secFetchSite, publicUrl }))
      throw new AppError('cross_site', `${method} from ${origin}`);
    return next();
  };
