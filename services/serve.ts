import type { BuiltScope } from '#components/scope.ts';
import { buildComponents } from './components.ts';
import { createFront, createHealth, type Part } from './front.ts';
import { listen, type Listener } from './listen.ts';
import { type Role } from './role.ts';
import type { Rooms } from './rooms.ts';
import { buildAuth } from './auth/build.ts';
import { buildRegistry } from './registry/build.ts';
import { buildRest } from './rest/build.ts';

/** A process that serves. */
export interface Serving {
  readonly port: number;
  /** Not ready, `stop.drain`, then no new connections; requests under way get `stop.grace`. Idempotent. */
  stop(): Promise<void>;
}

const build: Readonly<Record<Role, (rooms: Rooms, scope: BuiltScope) => Promise<Part>>> = {
  rest: buildRest,
  auth: buildAuth,
  registry: buildRegistry,
};

/** Builds the parts and listens. Nothing listens when one part cannot be built. The rooms stay open: who opened them closes them. */
export async function serve(rooms: Rooms, chosen: readonly Role[]): Promise<Serving> {
  const { config, log, stores, secure } = rooms;
  const { installation, settings } = config;
  const parts: Part[] = [];
  const scope = await buildComponents(rooms, chosen);
  for (const role of chosen) parts.push(await build[role](rooms, scope));

  let stopping = false;
  const isStopping = () => stopping;
  const ready = () => withinSeconds(2, Promise.all([stores.objects.ping(), stores.state.ping()]));
  const listenAt = (port: number, answer: Parameters<typeof listen>[0]) =>
    listen(answer, { host: installation.host, port, secure, requestTimeout: settings('http.requestTimeout') * 1000 });

  const front = createFront({ parts, ready, stopping: isStopping, urlLimit: settings('http.urlLimit'), secure });
  const listeners: Listener[] = [await listenAt(installation.port, front)];
  if (installation.adminPort !== undefined) {
    listeners.push(await listenAt(installation.adminPort, createHealth({ ready, stopping: isStopping, secure })));
  }

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping = true;
    log.info('stopping', { drain: settings('stop.drain'), grace: settings('stop.grace') });
    await new Promise((resolve) => setTimeout(resolve, settings('stop.drain') * 1000));
    await Promise.all(listeners.map((one) => one.close(settings('stop.grace') * 1000)));
  };
  return { port: listeners[0]!.port, stop: () => (stopped ??= stop()) };
}

/** Whether the work ends well in time. */
async function withinSeconds(seconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), seconds * 1000);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
