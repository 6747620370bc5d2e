import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAccounts } from '#accounts/accounts.ts';
import { sessionHoldsFor, type NewAccount } from '#accounts/account.ts';
import type { SettingName } from '#config/settings.ts';
import { createSessions } from '#sessions/sessions.ts';
import { createBearerTokens } from '#tokens/bearer.ts';
import { deriveKeys } from '#tokens/keys.ts';
import { createAuthApp } from '../../services/auth/app.ts';
import { loadSigningKeys } from '../../services/auth/oauth/signing-keys.ts';
import { openFixture } from './open-fixture.ts';

export const redirectUri = 'http://127.0.0.1:9/back';

const people: readonly NewAccount[] = [
  { identity: 'demo@local', name: 'Demo', password: 'portico-demo' },
  { identity: 'other@local', name: 'Other', password: 'portico-other' },
  { identity: 'ext@system', name: 'Ext Reporting', password: 'ext-secret' },
  {
    identity: 'web@system',
    name: 'Web Shop',
    password: 'web-secret',
    properties: { oauth: { redirectUris: [redirectUri], grants: ['authorization_code', 'refresh_token'] } },
  },
  {
    identity: 'two@system',
    name: 'Two Addresses',
    password: 'two-secret',
    properties: { oauth: { redirectUris: [redirectUri, `${redirectUri}2`] } },
  },
  {
    identity: 'night@system',
    name: 'Night Job',
    password: 'night-secret',
    properties: { oauth: { grants: ['client_credentials'] } },
  },
];

export interface StartAuthOptions {
  readonly settings?: Partial<Record<SettingName, unknown>>;
  /** Scheme and host that the outside sees; its own address otherwise. */
  readonly publicUrl?: string;
  readonly consoleUrl?: string;
  readonly accounts?: readonly NewAccount[];
}

let signingKeys: ReturnType<typeof loadSigningKeys> | undefined; // making an RSA key takes long: one for all tests

/** Sign-in and OAuth alone, on a free port, over real stores; with people and clients. */
export async function startAuth(options: StartAuthOptions = {}) {
  const fixture = await openFixture(options.settings);
  const { deps, stores } = fixture;
  const accounts = await createAccounts(deps);
  await Promise.all([...people, ...(options.accounts ?? [])].map((account) => accounts.create(account)));
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const publicUrl = options.publicUrl ?? url;
  const keys = deriveKeys('a secret for tests, thirty-two bytes or more');
  const sessions = createSessions({
    ...deps,
    key: keys.cookie,
    secure: publicUrl.startsWith('https:'),
    holds: async (user, at) => sessionHoldsFor(await accounts.find(user), at),
  });
  const isSessionAlive = (uid: string) => sessions.isAlive(uid);
  const makeApp = async () =>
    createAuthApp({
      ...deps,
      publicUrl,
      trustProxy: 0,
      accounts,
      sessions,
      keys,
      signingKeys: await (signingKeys ??= loadSigningKeys(stores.state, keys.encryption)),
      services: ['echo', 'echo-oauth'],
      caption: 'demo',
      consoleUrl: options.consoleUrl,
    }).callback();
  const answer = await makeApp();
  server.on('request', (req, res) => void answer(req, res));
  const bearers = createBearerTokens({ state: stores.state, accounts, isSessionAlive, clock: deps.clock });
  return {
    url,
    accounts,
    sessions,
    state: stores.state,
    advance: fixture.advance,
    folder: fixture.folder,
    bearers,
    fetch: (path: string, init?: RequestInit) => fetch(`${url}${path}`, { redirect: 'manual', ...init }),
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await fixture.close();
    },
  };
}
export type RunningAuth = Awaited<ReturnType<typeof startAuth>>;
