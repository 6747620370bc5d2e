import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';
import { text as readAll } from 'node:stream/consumers';
import { connect } from 'node:tls';

export interface OriginAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface OriginRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Address of this machine that the call comes from. */
  readonly from?: string;
}

export interface StreamedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly string[];
  readonly last: string;
}

/** Calls the origin over TLS and trusts its certificate alone; rejects when the connection ends before the answer. */
export function createOrigin({ url, certificate }: { url: string; certificate: string }) {
  const ca = readFileSync(certificate);
  const agent = new Agent({ keepAlive: true, maxSockets: 64, ca });
  return {
    call(path: string, { method = 'GET', headers = {}, body, from }: OriginRequest = {}): Promise<OriginAnswer> {
      const local: Pick<RequestOptions, 'localAddress' | 'family'> = from === undefined ? {} : { localAddress: from, family: 4 }; // prettier-ignore
      return new Promise((resolve, reject) => {
        const sent = request(`${url}${path}`, { method, headers: { ...headers }, agent, ...local }, (answer) => {
          readAll(answer).then(
            (text) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
            reject,
          );
        });
        sent.once('error', reject);
        sent.end(body);
      });
    },
    /** Sends chunks, waits for the first bytes of the answer, then sends the last: what came before it, and all. */
    stream(path: string, { headers, chunks, last }: StreamedRequest): Promise<{ first: string; whole: string }> {
      return new Promise((resolve, reject) => {
        const sent = request(`${url}${path}`, { method: 'POST', headers: { ...headers }, agent }, (answer) => {
          let whole = '';
          let first = '';
          answer.on('data', (chunk: Buffer) => {
            whole += chunk.toString();
            if (first === '') {
              first = whole;
              sent.end(last);
            }
          });
          answer.once('end', () => resolve({ first, whole }));
          answer.once('error', reject);
        });
        sent.once('error', reject);
        for (const chunk of chunks) sent.write(chunk);
      });
    },
    /** Bytes as they are, over TLS; the status of every answer until the other side ends. */
    async raw(bytes: string): Promise<readonly number[]> {
      const { hostname, port } = new URL(url);
      const socket = connect({ host: hostname, port: Number(port), servername: hostname, ca });
      socket.write(bytes);
      const text = await readAll(socket);
      return Array.from(text.matchAll(/^HTTP\/1\.1 (\d{3})/gm), ([, status]) => Number(status));
    },
    close: () => agent.destroy(),
  };
}
export type Origin = ReturnType<typeof createOrigin>;
