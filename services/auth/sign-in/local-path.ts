/** A path of this site to continue at; `undefined` for anything that a browser might take for another site. */
export function localPath(value: string | null | undefined): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value) || value.includes('\\')) return undefined;
  const base = 'http://here.invalid';
  const url = URL.parse(value, base);
  return url?.origin === base ? value : undefined;
}
