import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

type Headers = Readonly<IncomingHttpHeaders>;

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** RFC 9110, 7.6.1 and what came before it; all of `proxy-` too. */
const hopByHop = names('connection keep-alive te trailer transfer-encoding upgrade http2-settings');

/** All of `auth-` and `x-forwarded-` too. */
const ofTheCaller = names(`authorization cookie cookie2 expect host content-length forwarded x-request-id proxy
  x-http-method x-http-method-override x-method-override x-original-url x-rewrite-url x-original-host
  x-real-ip x-client-ip x-cluster-client-ip true-client-ip cf-connecting-ip`);

/** All of `access-control-` too: a gateway is for pages of its own origin. */
const ofTheAnswer = names('set-cookie set-cookie2 www-authenticate clear-site-data alt-svc service-worker-allowed');

/** Set by the app on every answer: the service behind cannot weaken them. */
const oursAlone = names(`content-security-policy cross-origin-resource-policy referrer-policy
  strict-transport-security x-content-type-options x-frame-options x-request-id`);

/** Some servers read `auth_token` as `auth-token`. Node gives names in lower case. */
const canonical = (name: string) => (name.includes('_') ? name.replaceAll('_', '-') : name);

const nothing: ReadonlySet<string> = new Set();

const namedByConnection = ({ connection }: Headers): ReadonlySet<string> =>
  connection === undefined || connection === 'keep-alive' || connection === 'close'
    ? nothing
    : new Set(connection.split(',').map((name) => canonical(name.trim().toLowerCase())));

function keep(headers: Headers, drops: (name: string) => boolean): OutgoingHttpHeaders {
  const named = namedByConnection(headers);
  const kept: OutgoingHttpHeaders = {};
  for (const raw of Object.keys(headers)) {
    const name = canonical(raw);
    if (!hopByHop.has(name) && !name.startsWith('proxy-') && !named.has(name) && !drops(name)) kept[raw] = headers[raw];
  }
  return kept;
}

export interface Added {
  readonly token: string;
  readonly requestId: string;
  readonly identity: string;
}

/** Printable ASCII; anything else, and `%`, is percent-encoded as UTF-8. */
const headerText = (text: string) => text.toWellFormed().replace(/[^\x21-\x24\x26-\x7e]/gu, encodeURIComponent);

/** The caller's headers without credentials, addresses and hop-by-hop ones, with the token and who asks. No framing. */
export const requestHeaders = (headers: Headers, { token, requestId, identity }: Added): OutgoingHttpHeaders => ({
  ...keep(headers, (name) => ofTheCaller.has(name) || name.startsWith('auth-') || name.startsWith('x-forwarded-')),
  'auth-token': token,
  'x-request-id': requestId,
  'x-forwarded-user': headerText(identity),
});

/** The answer's headers without cookies, hop-by-hop ones, permissions for other origins and what `already` has of ours. */
export const answerHeaders = (headers: Headers, already: (name: string) => boolean): OutgoingHttpHeaders =>
  keep(
    headers,
    (name) => ofTheAnswer.has(name) || name.startsWith('access-control-') || (oursAlone.has(name) && already(name)),
  );
