import {
  Agent as HttpAgent,
  IncomingMessage,
  type ClientRequest,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Stream } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { AppError } from '#errors.ts';
import { httpProxy } from './import-http-proxy.ts';

export interface Outgoing {
  /** Path and query, sent as they are. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  /** On a connection of its own, not one of the pool. */
  readonly fresh: boolean;
}

/** The head of the answer, its body not yet read; or the end of the matter without one. */
export type Forwarded =
  | { readonly answer: IncomingMessage }
  | { readonly failed: AppError; /** a pooled connection was closed under the request */ readonly stale: boolean }
  | { readonly left: true };

/** Sends a request to the service behind; its body goes as a stream. Settles within `timeoutMs` of the last byte moved. */
export type Forward = (req: IncomingMessage, res: ServerResponse, outgoing: Outgoing) => Promise<Forwarded>;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Framing told anew from what the parser found, never from headers that came through. */
function framing(req: IncomingMessage): OutgoingHttpHeaders {
  if (req.headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  const length = req.headers['content-length'];
  return length === undefined ? {} : { 'content-length': length };
}

/** What http-proxy is shown in place of the client's request, which stays as it came. */
function standIn(req: IncomingMessage, { path, headers }: Outgoing, host: string): IncomingMessage {
  const shown = new IncomingMessage(req.socket);
  if (req.method !== undefined) shown.method = req.method;
  shown.url = path;
  shown.headers = { ...headers, ...framing(req), host } as IncomingMessage['headers'];
  return shown;
}

/** http-proxy pipes the `buffer` into the request it makes: the one moment to get hold of that request. */
const takenBy = (take: (request: ClientRequest) => void) =>
  Object.assign(new Stream(), {
    pipe<T extends NodeJS.WritableStream>(request: T): T {
      take(request as unknown as ClientRequest);
      return request;
    },
  });

function failure(cause: Error, request: ClientRequest | undefined): Forwarded {
  const code = 'code' in cause ? cause.code : undefined;
  const stale = request?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
  return { failed: new AppError('bad_gateway', 'the service behind failed', { cause }), stale };
}

export function createForward(target: URL, timeoutMs: number): Forward {
  const secure = target.protocol === 'https:';
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true });
  const { protocol, hostname, port } = urlToHttpOptions(target);
  const proxy = httpProxy.createProxyServer({
    target: { protocol: protocol ?? 'http:', host: target.host, hostname: hostname ?? '', port: Number(port || (secure ? 443 : 80)) }, // prettier-ignore
    selfHandleResponse: true,
    toProxy: true, // the path goes as it is, not through url.parse
  });
  // http-proxy would give a DELETE with a chunked body the length 0: the body would be read as the next request
  Object.assign(proxy, { webPasses: passesOf(proxy).filter(({ name }) => name !== 'deleteLength') });

  return (req, res, outgoing) =>
    new Promise<Forwarded>((resolve) => {
      let request: ClientRequest | undefined;
      let answered = false;
      const settle = (result: Forwarded) => {
        clearTimeout(timer);
        res.off('close', leave);
        req.off('data', moved);
        if (!('answer' in result)) request?.destroy();
        resolve(result);
      };
      const leave = () => settle({ left: true });
      const late = () => {
        const waitsForClient = !req.complete && request?.socket && !request.writableNeedDrain;
        if (waitsForClient) moved();
        else settle({ failed: new AppError('gateway_timeout', `no answer within ${timeoutMs} ms`), stale: false });
      };
      const timer = setTimeout(late, timeoutMs);
      const moved = () => void timer.refresh();
      const take = (made: ClientRequest) => {
        request = made;
        made.path = outgoing.path; // http-proxy turns `http:/` within a path into `http://`
        made.once('response', (answer) => {
          answer.once('close', () => void (made.writableEnded || made.destroy())); // answered before it had read all
          answered = true;
          settle({ answer });
        });
        made.once('close', () => answered || settle(failure(new Error('closed without an answer'), made)));
        if (hasBody(req)) req.on('data', moved).pipe(made);
        else made.end();
      };
      res.once('close', leave);
      if (res.destroyed) leave();
      else
        proxy.web(
          standIn(req, outgoing, target.host),
          res,
          { buffer: takenBy(take), ...(outgoing.fresh ? {} : { agent }) },
          (cause) => settle(failure(cause, request)),
        );
    });
}

type Pass = (...args: readonly unknown[]) => unknown;

const passesOf = (proxy: object) => (proxy as { webPasses: readonly Pass[] }).webPasses;
