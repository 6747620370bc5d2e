import type { Presence } from './presence.ts';
import { withinTime } from './within-time.ts';

interface Watched {
  readonly host: string;
  readonly port: number;
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
  readonly nodes: () => readonly Watched[];
  readonly presence: Presence;
  /** Milliseconds. */
  readonly timeout: number;
  readonly every: number;
}

/** Asks every node that looks connected whether it is; one that does not answer in time is connected anew. */
export function createWatch({ nodes, presence, timeout, every }: WatchOptions): { stop(): void } {
  let stopped = false;
  const asked = new Set<unknown>();
  const look = async ({ host, port, client }: Watched): Promise<void> => {
    if (!client?.isReady || asked.has(client)) return;
    asked.add(client);
    try {
      await withinTime(timeout, () => client.sendCommand(['PING']));
      presence.back(`${host}:${port}`);
    } catch (error) {
      if (stopped) return;
      presence.away(`${host}:${port}`, error);
      if (!client.isReady) return; // the driver has noticed
      client.destroy();
      client.connect().catch(() => {}); // tells its errors as events; ends when the node leaves the map
    } finally {
      asked.delete(client);
    }
  };
  const timer = setInterval(() => {
    for (const node of nodes()) void look(node);
  }, every).unref();
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
