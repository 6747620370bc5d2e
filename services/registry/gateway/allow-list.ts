import { rawSegments } from './raw-path.ts';

export const methods = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'] as const;

/** Path → method → allowed; `{name}` or `:name` stands for one segment. */
export type Paths = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly status: 404 }
  | { readonly allowed: false; readonly status: 405; readonly allow: string };

/** Decides by method and raw, undecoded path (no query). */
export type AllowList = (method: string, rawPath: string) => Decision;

interface Pattern {
  /** undefined: any one segment */
  readonly segments: readonly (string | undefined)[];
  readonly allows: ReadonlyMap<string, boolean>;
}

const parameter = /^(?:\{[A-Za-z_][\w-]*\}|:[A-Za-z_][\w-]*)$/;

/** Literals before parameters, from the left: the most specific pattern comes first. */
const specificity = ({ segments }: Pattern) => segments.map((one) => (one === undefined ? '1' : '0')).join('');

const readSegment = (raw: string) => (parameter.test(raw) ? undefined : raw);

/** What is wrong with a path of the definition, or undefined. */
export function pathFault(path: string): string | undefined {
  if (!path.startsWith('/')) return 'must start with /';
  if (path.includes('*')) return 'wildcards are not known; write {name} for one segment';
  const literal = path.slice(1).split('/').map((one) => readSegment(one) ?? 'x'); // prettier-ignore
  if (literal.some((one) => /[{}]/.test(one) || one.startsWith(':')))
    return '{name} and :name stand for a whole segment';
  return rawSegments(`/${literal.join('/')}`)
    ? undefined
    : 'can never be called: dots, //, ; and needless encoding are refused';
}

/** The same text for paths that match the same addresses. */
export const pathShape = (path: string): string => path.split('/').map((one) => readSegment(one) ?? '{}').join('/'); // prettier-ignore

function compilePattern([path, allows]: readonly [string, Readonly<Record<string, boolean>>]): Pattern {
  const allowed = new Map(Object.entries(allows).map(([method, value]) => [method.toUpperCase(), value]));
  const get = allowed.get('GET');
  if (get !== undefined && !allowed.has('HEAD')) allowed.set('HEAD', get);
  return { segments: path.slice(1).split('/').map(readSegment), allows: allowed };
}

const matches = (pattern: Pattern, segments: readonly string[]) =>
  pattern.segments.every((one, at) => (one === undefined ? segments[at] !== '' : one === segments[at]));

/** Of several paths that match, the most specific one that names the method decides. */
export function compileAllowList(paths: Paths): AllowList {
  const patterns = Object.entries(paths)
    .map(compilePattern)
    .sort((a, b) => (specificity(a) < specificity(b) ? -1 : 1));
  const byLength = Map.groupBy(patterns, ({ segments }) => segments.length);
  return (method, rawPath) => {
    const segments = rawSegments(rawPath);
    const found = segments && byLength.get(segments.length)?.filter((pattern) => matches(pattern, segments));
    if (!found) return { allowed: false, status: 404 };
    const decides = (name: string) => found.find(({ allows }) => allows.has(name))?.allows.get(name) ?? false;
    if (decides(method)) return { allowed: true };
    const others = methods.map((one) => one.toUpperCase()).filter(decides);
    return others.length === 0
      ? { allowed: false, status: 404 }
      : { allowed: false, status: 405, allow: others.join(', ') };
  };
}
