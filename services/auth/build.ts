import type { Part } from '../front.ts';
import type { Rooms } from '../rooms.ts';
import { createAuthApp } from './app.ts';
import { loadSigningKeys } from './oauth/signing-keys.ts';

/** Sign-in and OAuth as a part of a process. Answers `/` too where nobody else does. */
export async function buildAuth({ config, log, stores, keys, accounts, sessions }: Rooms): Promise<Part> {
  const { installation, settings, namespace, rest } = config;
  const app = createAuthApp({
    log,
    publicUrl: installation.publicUrl,
    trustProxy: installation.trustProxy,
    accounts,
    sessions,
    state: stores.state,
    settings,
    keys,
    signingKeys: await loadSigningKeys(stores.state, keys.encryption),
    services: Object.keys(rest.di),
    caption: namespace,
  });
  const answer = app.callback();
  return { prefixes: ['/auth', '/oauth2', '/.well-known', '/'], answer: (req, res) => void answer(req, res) };
}
