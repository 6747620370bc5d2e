import type { StoredAccount } from './account-store.ts';

type Load = (identity: string) => Promise<StoredAccount | undefined>;

interface Entry {
  readonly loaded: Promise<StoredAccount | undefined>;
  readonly until: number;
}

/** News may get lost, so nothing is believed for longer, ms. */
const life = 900;
const most = 10_000;

/** Accounts for a moment, missing ones too; concurrent reads of one account are one read. */
export function createAccountCache(load: Load, keyOf: (identity: string) => string, clock: () => number) {
  const entries = new Map<string, Entry>();
  return {
    find(identity: string): Promise<StoredAccount | undefined> {
      const key = keyOf(identity);
      const now = clock();
      const held = entries.get(key);
      if (held && held.until > now) return held.loaded;
      const entry = { loaded: load(identity), until: now + life };
      entry.loaded.catch(() => entries.get(key) === entry && entries.delete(key));
      entries.delete(key);
      entries.set(key, entry);
      if (entries.size > most) entries.delete(entries.keys().next().value!);
      return entry.loaded;
    },
    /** A read under way is not believed either. */
    forget(identity: string): void {
      entries.delete(keyOf(identity));
    },
    forgetAll(): void {
      entries.clear();
    },
  };
}
