import { connect, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';

/** A connection to write bytes to as they are; over TLS where the address says so. */
export function openSocket(url: string): Socket {
  const { protocol, hostname, port } = new URL(url);
  return protocol === 'https:'
    ? connectSecure({ host: hostname, port: Number(port), servername: hostname })
    : connect(Number(port), hostname);
}
