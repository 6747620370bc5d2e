import { createHash, randomBytes } from 'node:crypto';

interface Site {
  readonly url: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export const basicOf = (client: string, secret: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}`,
});

/** The `Cookie` header that a sign-in by form gives. */
export async function signedIn(site: Site, username = 'demo@local', password = 'portico-demo'): Promise<string> {
  const answer = await site.fetch('/auth', { method: 'POST', body: new URLSearchParams({ username, password }) });
  const [cookie] = answer.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`sign-in gave ${answer.status} and no cookie`);
  return cookie.split(';')[0]!;
}

/** A verifier and its challenge (RFC 7636). */
export function makePkce() {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, query: { code_challenge: challenge, code_challenge_method: 'S256' } };
}

/** Answers the consent with allow; where one is sent to. */
export async function allow(site: Site, cookie: string, query: Readonly<Record<string, string>>): Promise<URL> {
  const path = `/oauth2/grant?${new URLSearchParams({ response_type: 'code', ...query }).toString()}`;
  const answer = await site.fetch(path, { method: 'POST', headers: { cookie } });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`no redirect but ${answer.status}: ${await answer.text()}`);
  return new URL(location, site.url);
}

export const codeOf = (location: URL): string => {
  const code = location.searchParams.get('code');
  if (code === null) throw new Error(`no code in ${location.href}`);
  return code;
};

export interface TokenAnswer {
  readonly status: number;
  readonly body: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly id_token: string;
    readonly scope: string;
    readonly expires_in: number;
    readonly error: string;
  };
}

/** A request to the token endpoint with Basic authentication. */
export async function token(
  site: Site,
  client: readonly [string, string],
  form: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const answer = await site.fetch('/oauth2/token', {
    method: 'POST',
    headers: basicOf(...client),
    body: new URLSearchParams(form),
  });
  return { status: answer.status, body: (await answer.json()) as TokenAnswer['body'] };
}

export const web = ['web@system', 'web-secret'] as const;
export const ext = ['ext@system', 'ext-secret'] as const;

/** The whole way for the client web: consent, code, tokens. */
export async function webTokens(
  site: Site,
  cookie: string,
  query: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer & { readonly code: string; readonly form: Readonly<Record<string, string>> }> {
  const pkce = makePkce();
  const location = await allow(site, cookie, { client_id: web[0], ...pkce.query, ...query });
  const code = codeOf(location);
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: pkce.verifier,
    ...(query['redirect_uri'] === undefined ? {} : { redirect_uri: query['redirect_uri'] }),
  };
  return { ...(await token(site, web, form)), code, form };
}

export const refresh = (site: Site, refreshToken: string): Promise<TokenAnswer> =>
  token(site, web, { grant_type: 'refresh_token', refresh_token: refreshToken });
