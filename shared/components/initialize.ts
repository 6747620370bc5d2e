import type { Builder } from './builder.ts';
import { isVital, type Entry } from './entries.ts';
import { messageOf } from './obstacle.ts';

/** All components by name, as a component of this kind sees them. */
export type ScopeFor = (legacy: boolean) => Readonly<Record<string, unknown>>;

interface Call {
  readonly entry: Entry;
  readonly holder: object;
  readonly method: string;
  readonly level: number;
  readonly legacy: boolean;
}

function callOf(entry: Entry): Call | undefined {
  if (entry.state.is !== 'built' || entry.state.initializer === undefined) return undefined;
  const { initializer: holder, legacy } = entry.state;
  const { initMethod, initLevel } = entry.definition;
  if (initMethod !== undefined) return { entry, holder, method: initMethod, level: initLevel ?? 0, legacy };
  const has = typeof Reflect.get(holder, '_initialization') === 'function';
  return has ? { entry, holder, method: '_initialization', level: initLevel ?? Infinity, legacy } : undefined;
}

/** Init methods by ascending level, each awaited. One that fails leaves its component out, and what refers to that. */
export async function initialize(entries: Iterable<Entry>, builder: Builder, scopeFor: ScopeFor): Promise<void> {
  const all = [...entries];
  leaveOutWith(all, builder);
  const calls = all.map(callOf).filter((call) => call !== undefined);
  for (const { entry, holder, method, legacy } of calls.sort((one, other) =>
    one.level < other.level ? -1 : Number(one.level > other.level),
  )) {
    if (entry.state.is !== 'built') continue;
    try {
      const run = Reflect.get(holder, method) as unknown;
      if (typeof run !== 'function') throw new Error('there is no such method');
      await run.call(holder, scopeFor(legacy));
    } catch (thrown) {
      builder.leaveOut(entry, `${entry.path}.initMethod`, `${entry.name}.${method}: ${messageOf(thrown)}`);
      leaveOutWith(all, builder);
    }
  }
}

/** What refers, eagerly or lazily, to a component that is left out is left out too, but for what this installation brings. */
function leaveOutWith(entries: readonly Entry[], builder: Builder): void {
  const isLeftOut = ({ state }: Entry): boolean => state.is === 'absent' && !state.reported;
  for (;;) {
    const next = entries.find(
      (entry) => entry.state.is === 'built' && !entry.builtin && !isVital(entry) && [...entry.needs].some(isLeftOut),
    );
    if (next === undefined) return;
    const missing = [...next.needs].find(isLeftOut)?.name ?? '';
    builder.leaveOut(next, next.path, `${next.name} refers to ${missing}, which is left out`);
  }
}
