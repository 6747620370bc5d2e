import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Identity } from '#accounts/identity.ts';
import { parseNested, type ParsedBody } from '#http/body.ts';
import type { HttpContext } from '#http/state.ts';
import type { Log } from '#log.ts';
import type { ServiceRequest } from '#service/index.ts';
import type { Leaving } from './progress.ts';

export interface CallFacts {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly user: Identity | null;
  readonly leaving: Leaving;
  readonly parsed: ParsedBody;
}

/** The request as services see it; a class, so that making one is cheap. Query is parsed at first use. */
export class RestRequest implements ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly originalUrl: string;
  readonly params: CallFacts['params'];
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  readonly body: unknown;
  readonly files: ParsedBody['files'];
  readonly user: Identity | null;
  readonly id: string;
  readonly log: Log;
  readonly stream: Readable;
  readonly #ctx: HttpContext;
  readonly #leaving: Leaving;
  #query: Record<string, unknown> | undefined;

  constructor(ctx: HttpContext, { path, params, user, leaving, parsed }: CallFacts) {
    this.method = ctx.method;
    this.path = path;
    this.originalUrl = ctx.originalUrl;
    this.params = params;
    this.headers = ctx.headers;
    this.ip = ctx.ip;
    this.body = parsed.body;
    this.files = parsed.files;
    this.user = user;
    this.id = ctx.state.id;
    this.log = ctx.state.log;
    this.stream = ctx.req;
    this.#ctx = ctx;
    this.#leaving = leaving;
  }

  get query(): Readonly<Record<string, unknown>> {
    return (this.#query ??= parseNested(this.#ctx.querystring));
  }

  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  readonly get = (name: string): string => this.#ctx.get(name);
}
