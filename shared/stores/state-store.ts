/** Short-lived state: sessions, tokens, grants, limits. Every value ends with its time to live (milliseconds); one of zero or less has ended. Keys hold no secret in the clear. */
export interface StateStore {
  get(key: string): Promise<string | undefined>;
  put(key: string, value: string, ttl: number): Promise<void>;
  /** Exactly one of many callers at once gets true. */
  putIfAbsent(key: string, value: string, ttl: number): Promise<boolean>;
  /** False, and nothing stored, when the key is gone: what was ended cannot come back. */
  putIfPresent(key: string, value: string, ttl: number): Promise<boolean>;
  /** Gives the value and removes it; exactly one of many callers at once gets it. */
  take(key: string): Promise<string | undefined>;
  /** A new time to live, only for a key that exists. */
  touch(key: string, ttl: number): Promise<boolean>;
  /** Values, counters and sets. */
  remove(keys: readonly string[]): Promise<void>;
  /** Counts up atomically; the time to live starts with the first count and is not extended. `left` in milliseconds. */
  increment(key: string, by: number, ttl: number): Promise<{ readonly count: number; readonly left: number }>;
  /** Sets live at least as long as the longest time to live given. */
  addMember(set: string, member: string, ttl: number): Promise<void>;
  removeMember(set: string, member: string): Promise<void>;
  members(set: string): Promise<readonly string[]>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
