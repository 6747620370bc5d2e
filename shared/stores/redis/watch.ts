import type { Presence } from './presence.ts';
import { withinTime } from './within-time.ts';

interface Watched {
  readonly client?:
    | {
        readonly isReady: boolean;
        sendCommand(command: string[]): Promise<unknown>;
        connect(): Promise<unknown>;
        destroy(): void;
      }
    | undefined;
}

interface WatchOptions {
  /** For the log. */
  readonly name: string;
  readonly nodes: () => readonly Watched[];
  readonly presence: Presence;
  /** Milliseconds. */
  readonly timeout: number;
  readonly every: number;
}

/** Asks every node that looks connected whether it is; one that does not answer in time is connected anew. */
export function createWatch({ name, nodes, presence, timeout, every }: WatchOptions): { stop(): void } {
  let stopped = false;
  let asking = false;
  const answers = async ({ client }: Watched): Promise<boolean> => {
    if (client === undefined) return true; // was not needed yet
    if (!client.isReady) return false;
    try {
      await withinTime(timeout, () => client.sendCommand(['PING']));
      return true;
    } catch (error) {
      if (stopped) return false;
      presence.away(name, error);
      if (client.isReady) {
        client.destroy();
        client.connect().catch(() => {}); // tells its errors as events; ends when the node leaves the map
      }
      return false;
    }
  };
  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    const all = await Promise.all(nodes().map(answers));
    asking = false;
    if (all.every(Boolean)) presence.back(name);
  };
  const timer = setInterval(() => void ask(), every).unref();
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
