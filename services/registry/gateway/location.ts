/** An address of the service behind as the caller reaches it: below `base`. Other hosts stay as they are. */
export function outerLocation(location: string, target: URL, base: string): string {
  const inner = URL.parse(location, target.href);
  if (!inner || inner.origin !== target.origin) return location;
  if (!/^(?:\/(?!\/)|https?:)/i.test(location)) return location; // relative to the request's own path: still right
  const prefix = target.pathname.replace(/\/$/, '');
  if (!inner.pathname.startsWith(`${prefix}/`)) return location;
  return `${base}${inner.pathname.slice(prefix.length)}${inner.search}${inner.hash}`;
}
