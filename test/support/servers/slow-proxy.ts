import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SlowProxy {
  readonly port: number;
  /** Milliseconds by which answers are late from now on. */
  delay: number;
  stop(): Promise<void>;
}

/** Stands before a server of this machine and brings its answers late, in order. */
export async function startSlowProxy(to: number): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const one of [near, far]) {
      sockets.add(one);
      one.on('error', () => {}); // its close follows
    }
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far);
    far.on('data', (chunk) => void setTimeout(() => near.write(chunk), proxy.delay));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = {
    port: (server.address() as AddressInfo).port,
    delay: 0,
    async stop() {
      server.close();
      for (const one of sockets) one.destroy();
      await once(server, 'close');
    },
  };
  return proxy;
}
