import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the case has handed over. */
export const options = (): unknown => JSON.parse(process.argv[2] ?? '{}');

/** Listens on a free port, tells its address on stdout, ends on SIGTERM. */
export function listen(answer: RequestListener): void {
  const server = createServer(answer).listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
  process.once('SIGTERM', () => process.exit(0));
}

interface App {
  callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
}

export const listenKoa = (app: App): void => {
  const answer = app.callback();
  listen((req, res) => void answer(req, res));
};
