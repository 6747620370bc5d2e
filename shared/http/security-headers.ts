import type { HttpMiddleware } from './state.ts';

const headers: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

export interface SecurityOptions {
  readonly secure: boolean;
}

/** The headers themselves, for answers that no app gives. */
export const securityHeaderList = ({ secure }: SecurityOptions): readonly (readonly [string, string])[] =>
  Object.entries({ ...headers, ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}) });

/** Headers every answer starts with; a page or a service's own answer may set others. `secure`: base_url is https (RFC 6797). */
export function securityHeaders(options: SecurityOptions): HttpMiddleware {
  const all = securityHeaderList(options);
  return (ctx, next) => {
    for (const [name, value] of all) ctx.res.setHeader(name, value);
    return next();
  };
}
