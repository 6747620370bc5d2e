import type { Identity } from '#accounts/identity.ts';
import type { ParsedBody } from '#http/body.ts';
import { parseNested } from '#http/body.ts';
import type { HttpContext } from '#http/state.ts';
import type { ServiceRequest } from '#service/index.ts';
import type { Leaving } from './progress.ts';

export interface CallFacts extends ParsedBody {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly user: Identity | null;
  readonly leaving: Leaving;
}

/** The request as services see it. Query is parsed at first use. */
export function toServiceRequest(ctx: HttpContext, { leaving, ...facts }: CallFacts): ServiceRequest {
  let query: Record<string, unknown> | undefined;
  return {
    ...facts,
    method: ctx.method,
    originalUrl: ctx.originalUrl,
    get query() {
      return (query ??= parseNested(ctx.querystring));
    },
    get signal() {
      return leaving.signal;
    },
    headers: ctx.headers,
    get: (name) => ctx.get(name),
    ip: ctx.ip,
    id: ctx.state.id,
    get log() {
      return ctx.state.log;
    },
    stream: ctx.req,
  };
}
