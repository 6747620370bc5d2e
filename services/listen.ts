import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Milliseconds for a request to arrive whole. */
  readonly requestTimeout: number;
}

export interface Listener {
  readonly port: number;
  /** No new connections, idle ones end, those at work get `grace` milliseconds. */
  close(grace: number): Promise<void>;
}

/** What Node's parser refuses (RFC 9112): smuggling shapes and broken heads 400, heads past 16 KiB 431, slow ones 408. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  const text = status.slice(4);
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
  return undefined;
}

/** Rejects when the address is taken or may not be used. */
export async function listen(answer: RequestListener, options: ListenOptions): Promise<Listener> {
  const server: Server = createServer(
    {
      requestTimeout: options.requestTimeout,
      headersTimeout: Math.min(60_000, options.requestTimeout),
      keepAliveTimeout: 65_000,
    },
    answer,
  );
  server.on('clientError', refuse);
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close(grace) {
      const closed = new Promise<void>((done) => server.close(() => done()));
      const idle = setInterval(() => server.closeIdleConnections(), 50); // also those that become idle meanwhile
      const overdue = setTimeout(() => server.closeAllConnections(), grace);
      await closed;
      clearInterval(idle);
      clearTimeout(overdue);
    },
  };
}
