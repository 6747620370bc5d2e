import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Identity } from '#accounts/identity.ts';
import type { Log } from '#log.ts';

/** A part of a multipart body that carries a file. */
export interface UploadedFile {
  /** As the client named it: data, never a path. */
  readonly name: string;
  readonly mime: string;
  readonly size: number;
  /** Opens the content anew each time; it is gone when the request is over. */
  stream(): Readable;
}

/** What a service sees of a call. The same for every way of authentication. */
export interface ServiceRequest {
  readonly method: string;
  /** Below the service: `/` at its root. */
  readonly path: string;
  readonly originalUrl: string;
  readonly params: Readonly<Record<string, string>>;
  /** Values are strings; `a[]=1` and `a[b]=1` nest. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** A header by name, `''` when absent. */
  get(name: string): string;
  readonly ip: string;
  /** Parsed JSON, form or multipart fields; text for `text/*`; undefined when there is none. */
  readonly body: unknown;
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>;
  /** Null in mode `none`. */
  readonly user: Identity | null;
  /** The request id, also in the log and in `x-request-id`. */
  readonly id: string;
  /** Aborted when the client leaves or the time for the handler is over. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** The body as bytes, for content types that are not parsed. */
  readonly stream: Readable;
}

/** `headers`: `"Name: value"` lines or a map; they override those of the answer. */
export interface Envelope {
  readonly data?: unknown;
  readonly headers?: readonly string[] | Readonly<Record<string, string | number>>;
  readonly status?: number;
}

/** An Envelope, or any other value, which is itself the data; or a promise of either. */
export type ServiceResult = unknown;

export type Handler = (request: ServiceRequest) => ServiceResult;
