import { parse } from 'yaml';
import { z } from 'zod';
import { methods, pathFault, pathShape, type Paths } from './allow-list.ts';

const plainPath = z
  .string()
  .regex(/^(?:\/[A-Za-z0-9._~@-]*[A-Za-z0-9_~@-])+\/?$/, 'must be a plain path such as /registry-ajax-api');

const withoutSlash = (text: string) => text.replace(/\/+$/, '');

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((text) => !/[?#]/.test(text), 'must have neither query nor fragment')
  .refine((text) => URL.parse(text)?.username === '', 'must hold no credentials')
  .transform(withoutSlash);

type FaultAt = (path: readonly string[], message: string) => void;

function checkMethods(path: string, map: Readonly<Record<string, unknown>>, fault: FaultAt): void {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(map)) {
    const method = name.toLowerCase();
    if (!(methods as readonly string[]).includes(method)) fault([path, name], `is not one of ${methods.join(', ')}`);
    if (seen.has(method)) fault([path, name], 'is listed twice');
    if (typeof value !== 'boolean') fault([path, name], 'must be true or false');
    seen.add(method);
  }
}

function checkPaths(paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>, fault: FaultAt): void {
  const seen = new Map<string, string>();
  for (const [path, map] of Object.entries(paths)) {
    const same = seen.get(pathShape(path));
    const wrong = pathFault(path) ?? (same === undefined ? undefined : `matches the same addresses as ${same}`);
    if (wrong !== undefined) fault([path], wrong);
    seen.set(pathShape(path), path);
    checkMethods(path, map, fault);
  }
}

const definition = z.object({
  paths: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .superRefine((paths, context) =>
      checkPaths(paths, (path, message) => context.addIssue({ code: 'custom', path: [...path], message })),
    )
    .transform((paths) => paths as Paths),
});

const schema = z.object({
  base: plainPath.transform(withoutSlash),
  clientId: z
    .string()
    .min(1)
    .regex(/^[^:\p{Cc}]*$/u, 'must hold no colon (HTTP Basic ends the name there)'),
  clientSecret: z.string().min(1),
  tokenPath: plainPath.default('/rest/token'),
  endPoint: z.preprocess((value) => (value === '' ? undefined : value), httpUrl.optional()),
  definition,
});

/** What a gateway component is set to. `base` and `endPoint` end without a slash. */
export type GatewayOptions = Readonly<z.infer<typeof schema>>;

/** Reads a definition file by its path as deploy.json has it; throws when there is none. */
export type ReadText = (path: string) => string;

/** A definition file is YAML, of which JSON is a part. */
function readDefinition(raw: unknown, at: string, readText: ReadText): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    return parse(readText(raw)) as unknown;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${at}.definition: ${raw} cannot be read: ${why}`, { cause });
  }
}

/** Checks the options of a gateway; throws one error with all faults, a line each, with their place below `at`. Others are ignored. */
export function readGatewayOptions(raw: unknown, at: string, readText: ReadText): GatewayOptions {
  const given: object = typeof raw === 'object' && raw !== null ? raw : {};
  const whole =
    'definition' in given ? { ...given, definition: readDefinition(given.definition, at, readText) } : given;
  const read = schema.safeParse(whole);
  if (read.success) return Object.freeze(read.data);
  throw new Error(read.error.issues.map(({ path, message }) => `${[at, ...path].join('.')}: ${message}`).join('\n'));
}
