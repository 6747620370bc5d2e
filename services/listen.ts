import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as TcpServer, type AddressInfo, type Socket } from 'node:net';
import { securityHeaderList } from '#http/security-headers.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Milliseconds for a request to arrive whole. */
  readonly requestTimeout: number;
  /** base_url is https. */
  readonly secure: boolean;
}

export interface Listener {
  readonly port: number;
  /**
   * No new connections. What comes over an open one is answered and asks to close it; idle ones end when no call has come for
   * a moment, so that none is cut that a proxy has just sent a request over. All of it within `grace` milliseconds.
   */
  close(grace: number): Promise<void>;
}

/** As Node's own handler looks at it: the answer that is being sent on this connection. */
interface Busy {
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
}

/** What Node's parser refuses (RFC 9112): smuggling shapes and broken heads 400, heads past 16 KiB 431, slow ones 408. */
const refuse =
  (headers: string) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    // into an answer that has begun, the words would be read as part of it
    const isAnswering = (socket as Busy)._httpMessage?.headersSent === true;
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) {
      socket.destroy();
      return;
    }
    const status = statusOf(error.code);
    const text = status.slice(4);
    socket.end(
      `HTTP/1.1 ${status}\r\nConnection: close\r\n${headers}Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    );
  };

function statusOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
}

/** Milliseconds without a call after which what is open counts as unused. */
const quiet = 200;

/** Rejects when the address is taken or may not be used. */
export async function listen(answer: RequestListener, options: ListenOptions): Promise<Listener> {
  let closing = false;
  let lastCall = 0;
  const server: Server = createServer(
    {
      requestTimeout: options.requestTimeout,
      headersTimeout: Math.min(60_000, options.requestTimeout),
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: Math.min(10_000, Math.ceil(options.requestTimeout / 2)),
      requireHostHeader: false, // the front looks, with an answer like all others
    },
    (req, res) => {
      lastCall = performance.now();
      if (closing) res.setHeader('connection', 'close');
      answer(req, res);
    },
  );
  const headers = securityHeaderList(options).map(([name, value]) => `${name}: ${value}\r\n`);
  server.on('clientError', refuse(headers.join('')));
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close(grace) {
      closing = true;
      lastCall = performance.now();
      const closed = once(server, 'close');
      TcpServer.prototype.close.call(server); // the HTTP server's own would cut what is idle at this moment
      const idle = setInterval(() => {
        if (performance.now() - lastCall >= quiet) server.closeIdleConnections();
      }, 50);
      const overdue = setTimeout(() => server.closeAllConnections(), grace);
      await closed;
      clearInterval(idle);
      clearTimeout(overdue);
      server.close(() => {}); // lets go of its timer
    },
  };
}
