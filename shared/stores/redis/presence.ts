import type { Log } from '#log.ts';

/** Which connections work, told in the log once when the first breaks and once when all are back. */
export interface Presence {
  away(connection: string, error: unknown): void;
  back(connection: string): void;
  /** Why the last one broke. */
  reason(): unknown;
}

export function createPresence(log: Pick<Log, 'error' | 'info'>, where: string): Presence {
  const broken = new Set<string>();
  let last: unknown;
  return {
    away(connection, error) {
      last = error;
      if (broken.size === 0)
        log.error('Redis is away', { where, reason: error instanceof Error ? error.message : error });
      broken.add(connection);
    },
    back(connection) {
      if (broken.delete(connection) && broken.size === 0) log.info('Redis is back', { where });
    },
    reason: () => last,
  };
}
