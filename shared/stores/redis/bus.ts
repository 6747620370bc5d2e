import { randomUUID } from 'node:crypto';
import type { Log } from '#log.ts';
import type { Bus } from '../bus.ts';
import { createSubscribers } from '../subscribers.ts';
import { unavailable } from './failure.ts';
import { createLink } from './link.ts';
import type { Presence } from './presence.ts';
import { createNodeClient, type ClientOptions, type Client, type Redis } from './redis.ts';

/** What travels: who sent it, and the news; without news it says that some were lost. */
type Letter = readonly [origin: string, topic: string, message: string] | readonly [origin: string];

const askEvery = 250; // milliseconds
const deafAfter = 600; // milliseconds without a sign that news would arrive

interface BusOptions {
  readonly redis: Pick<Redis, 'run' | 'channels'>;
  readonly client: ClientOptions;
  readonly channel: string;
  readonly presence: Presence;
  readonly giveUp: AbortSignal;
  readonly log: Pick<Log, 'error'>;
}

/** One channel for all topics, listened to before anybody subscribes, so that no news falls between. Resolves when it listens. */
export async function connectRedisBus({
  redis,
  client: options,
  channel,
  presence,
  giveUp,
  log,
}: BusOptions): Promise<Bus> {
  const origin = randomUUID();
  const { sharded } = redis.channels;
  const { deliver, missed, subscribe, onGap, clear } = createSubscribers(log);
  let closed = false;
  let owed = false;

  const take = (text: string): void => {
    if (closed) return;
    const [from, topic, message] = read(text);
    if (from === origin) return;
    if (topic === undefined || message === undefined) missed();
    else deliver(topic, message);
  };
  const send = async (letter: Letter): Promise<void> => {
    await redis.run(channel, [sharded ? 'SPUBLISH' : 'PUBLISH', channel, JSON.stringify(letter)]);
  };

  const listen = async (client: Client): Promise<void> => {
    await (sharded ? client.sSubscribe(channel, take) : client.subscribe(channel, take));
    missed(); // while there was no connection
  };
  const link = createLink({
    name: 'news',
    locate: () => redis.channels.locate(channel),
    create: (node) => createNodeClient(options, node),
    prepare: listen,
    presence,
    giveUp,
    timeout: options.timeout,
    every: askEvery,
  });
  /** Others do not know of news that could not be sent: they are told that some were lost as soon as that is possible. */
  const settle = async (): Promise<void> => {
    if (!owed || link.client() === undefined) return;
    owed = false;
    await send([origin]).catch(() => (owed = true));
  };
  const timer = setInterval(() => {
    if (performance.now() - link.heardAt() > deafAfter) missed();
    void settle();
  }, askEvery).unref();
  const close = async (): Promise<void> => {
    closed = true;
    clearInterval(timer);
    clear();
    await link.close();
  };
  try {
    await link.opened;
  } catch (error) {
    await close();
    throw error;
  }

  return {
    async publish(topic, message) {
      if (closed) throw unavailable('the bus is closed');
      try {
        await send([origin, topic, message]);
      } catch (error) {
        owed = true;
        throw error;
      } finally {
        deliver(topic, message);
      }
    },
    subscribe,
    onGap,
    close,
  };
}

/** What is no letter of ours counts as one that was lost. */
function read(text: string): Letter {
  try {
    return JSON.parse(text) as Letter;
  } catch {
    return [''];
  }
}
