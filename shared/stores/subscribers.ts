import type { Log } from '#log.ts';
import type { Bus } from './bus.ts';

/** Who listens in this process, the same for every adapter of the bus. */
export interface Subscribers {
  readonly subscribe: Bus['subscribe'];
  readonly onGap: Bus['onGap'];
  readonly deliver: (topic: string, message: string) => void;
  /** News may have got lost. */
  readonly missed: () => void;
  readonly clear: () => void;
}

/** A subscriber that throws is logged and does not stop the others. */
export function createSubscribers(log: Pick<Log, 'error'>): Subscribers {
  const subscribers = new Map<string, Set<{ readonly receive: (message: string) => void }>>();
  const gaps = new Set<{ readonly receive: () => void }>();
  const guarded = (topic: string, call: () => void): void => {
    try {
      call();
    } catch (error) {
      log.error('a subscriber of the bus failed', { topic, error });
    }
  };
  return {
    deliver(topic, message) {
      for (const { receive } of Array.from(subscribers.get(topic) ?? [])) guarded(topic, () => receive(message));
    },
    missed() {
      for (const { receive } of Array.from(gaps)) guarded('news got lost', receive);
    },
    subscribe(topic, receive) {
      const subscriber = { receive };
      const all = subscribers.get(topic) ?? new Set();
      subscribers.set(topic, all.add(subscriber));
      return () => void all.delete(subscriber);
    },
    onGap(receive) {
      const one = { receive };
      gaps.add(one);
      return () => void gaps.delete(one);
    },
    clear() {
      subscribers.clear();
      gaps.clear();
    },
  };
}
