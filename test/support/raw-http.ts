import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
  /** Of the first answer; 0 when the connection ended without one. */
  readonly status: number;
  /** All status lines that came back, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** The other side ended the connection. */
  readonly closed: boolean;
}

/** Sends bytes as they are, and collects what comes back until the other side ends, or has been quiet for so long. */
export async function sendRaw(url: string, bytes: string | Buffer, quietMs = 400): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  let closed = false;
  socket.setTimeout(quietMs, () => socket.destroy());
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('end', () => (closed = true));
  socket.on('error', () => (closed = true));
  socket.write(bytes);
  await once(socket, 'close');
  const statuses = Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
  return { status: statuses[0] ?? 0, statuses, text, closed };
}

/** A request from its lines; `Host` and `Connection: close` are added unless given. */
export function rawRequest(line: string, headers: readonly string[] = [], body = ''): string {
  const has = (name: string) => headers.some((header) => header.toLowerCase().startsWith(`${name}:`));
  const more = [...(has('host') ? [] : ['Host: x']), ...(has('connection') ? [] : ['Connection: close'])];
  return `${[line, ...more, ...headers].join('\r\n')}\r\n\r\n${body}`;
}
