/** Values of the request's headers; `''` where there is none. */
export interface Provenance {
  readonly method: string;
  readonly origin: string;
  readonly secFetchSite: string;
  /** base_url of the installation. */
  readonly publicUrl: string;
}

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

function siteOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const host = loopback.has(parsed.hostname) ? 'loopback' : parsed.hostname;
  return `${parsed.protocol}//${host}:${parsed.port}`;
}

/**
 * Whether a page of another site made a browser send this write. A request with neither header comes from no browser.
 * A browser says `Origin: null` also for our own forms under `Referrer-Policy: no-referrer`; then `Sec-Fetch-Site` decides.
 */
export function isCrossSite({ method, origin, secFetchSite, publicUrl }: Provenance): boolean {
  if (harmless.has(method.toUpperCase())) return false;
  const foreignFetch = secFetchSite !== '' && secFetchSite !== 'same-origin' && secFetchSite !== 'none';
  if (foreignFetch) return true;
  if (origin === '') return false;
  if (origin === 'null') return secFetchSite === '';
  return siteOf(origin) !== siteOf(publicUrl);
}
