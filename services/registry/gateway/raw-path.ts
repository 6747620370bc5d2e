/** Unreserved letters, delimiters that mean nothing in a path, and encoded bytes (RFC 3986, 3.3) without `;`. */
const segment = /^(?:[A-Za-z0-9._~!$&'()*+,=:@-]|%[0-9A-Fa-f]{2})+$/;

/** Encoded, these mean something to a server that decodes once more, or too early: unreserved letters, `/ \ ; %` and controls. */
const meaning = /[A-Za-z0-9._~/\\;%\p{Cc}-]/u;

function isSafe(raw: string): boolean {
  if (!segment.test(raw) || /^\.+$/.test(raw)) return false;
  try {
    return (raw.match(/(?:%[0-9A-Fa-f]{2})+/g) ?? []).every((encoded) => !meaning.test(decodeURIComponent(encoded)));
  } catch {
    return false; // not UTF-8
  }
}

/**
 * The segments of a path as it came, undecoded; undefined when two servers could read it differently (dots, empty
 * segments, `;`, a backslash, needless encoding). A slash at the end is an empty last segment.
 */
export function rawSegments(path: string): readonly string[] | undefined {
  if (!path.startsWith('/')) return undefined;
  const segments = path.slice(1).split('/');
  const inner = segments.length > 1 && segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  return inner.every(isSafe) ? segments : undefined;
}
