import { toAbsolute, type ApplicationPlace } from './application-place.ts';
import type { Entry } from './entries.ts';
import { parseReference } from './references.ts';

export interface OptionResolver {
  readonly place: ApplicationPlace;
  /** The inline component that an object defines, if it does. */
  inline(definition: object): Entry | undefined;
  /** The component a reference means, as the consumer is to see it. `path`: the option, in deploy.json. */
  refer(name: string, lazy: boolean, path: string): Promise<{ readonly component: unknown }>;
  build(entry: Entry, path: string): Promise<{ readonly component: unknown }>;
}

/** Options with every reference replaced by its component: a copy that the component may change. */
export async function makeOptions(value: unknown, path: string, resolver: OptionResolver): Promise<{ made: unknown }> {
  if (typeof value === 'string') {
    const reference = parseReference(value);
    if (reference === undefined) return { made: value };
    if (reference.kind === 'file') return { made: toAbsolute(reference.path, resolver.place) };
    return { made: (await resolver.refer(reference.name, reference.lazy, path)).component };
  }
  if (typeof value !== 'object' || value === null) return { made: value };
  const inline = resolver.inline(value);
  if (inline !== undefined) return { made: (await resolver.build(inline, path)).component };
  const entries: [string, unknown][] = [];
  for (const [key, held] of Object.entries(value))
    entries.push([key, (await makeOptions(held, `${path}.${key}`, resolver)).made]);
  return { made: Array.isArray(value) ? entries.map(([, made]) => made) : Object.fromEntries(entries) };
}
