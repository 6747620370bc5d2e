import { Readable } from 'node:stream';
import type { HttpContext } from '#http/state.ts';
import type { Envelope, ServiceResult } from '#service/index.ts';

const envelopeKeys = new Set(['data', 'headers', 'status']);

/** Only an object whose own keys are all of `data`, `headers`, `status` (and at least one) is an envelope; all else is data. */
function toEnvelope(result: ServiceResult): Envelope {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return { data: result };
  const prototype: unknown = Object.getPrototypeOf(result);
  const keys = Object.keys(result);
  const plain = prototype === Object.prototype || prototype === null;
  return plain && keys.length > 0 && keys.every((key) => envelopeKeys.has(key)) ? result : { data: result };
}

function setHeaders(ctx: HttpContext, headers: NonNullable<Envelope['headers']>): void {
  const pairs: readonly (readonly [string, string])[] = Array.isArray(headers)
    ? (headers as readonly string[]).map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const;
      })
    : Object.entries(headers as Readonly<Record<string, string | number>>).map(
        ([name, value]) => [name, String(value)] as const,
      );
  for (const [name, value] of pairs) ctx.set(name, value);
}

/** Writes what a handler gave: JSON, bytes of a Buffer or stream, text where a Content-Type says so; nothing for null. */
export function answer(ctx: HttpContext, result: ServiceResult): void {
  const { data, headers, status = 200 } = toEnvelope(result);
  if (headers !== undefined) setHeaders(ctx, headers);
  const typed = headers !== undefined && ctx.res.hasHeader('content-type');
  const length = ctx.response.get('content-length'); // Koa drops it when a body is set
  ctx.status = status;
  if (data === null || data === undefined) {
    if (ctx.method !== 'HEAD') ctx.body = '';
    if (!typed) ctx.remove('content-type');
  } else if (data instanceof Uint8Array || data instanceof Readable) {
    if (!typed) ctx.set('content-type', 'application/octet-stream');
    ctx.body = data instanceof Readable || Buffer.isBuffer(data) ? data : Buffer.from(data);
    if (data instanceof Readable)
      data.once('error', (error) => ctx.state.log.error('the answer broke off', { cause: error }));
  } else {
    if (!typed) ctx.set('content-type', 'application/json; charset=utf-8');
    ctx.body = typed && typeof data === 'string' ? data : JSON.stringify(data);
  }
  // what is whole here was counted; a length of one's own that is wrong would shift the answers that follow
  const isCounted = typeof ctx.body === 'string' || Buffer.isBuffer(ctx.body);
  if (length && (!isCounted || ctx.method === 'HEAD')) ctx.set('content-length', length);
}
