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
  return plain && keys.length > 0 && keys.every((key) => envelopeKeys.has(key))
    ? (result as Envelope)
    : { data: result };
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
  const { data, headers, status } = toEnvelope(result);
  ctx.status = status ?? 200;
  if (headers !== undefined) setHeaders(ctx, headers);
  const typed = ctx.response.get('content-type') !== '';
  if (data === null || data === undefined) {
    const declared = ctx.response.get('content-length'); // of a HEAD answer that a service made itself
    ctx.res.statusCode = status ?? 200;
    if (ctx.method === 'HEAD' && declared !== '') return;
    ctx.body = '';
    if (!typed) ctx.remove('content-type');
    return;
  }
  if (Buffer.isBuffer(data) || data instanceof Uint8Array || data instanceof Readable) {
    if (!typed) ctx.set('content-type', 'application/octet-stream');
    const declared = ctx.response.get('content-length');
    ctx.body = data instanceof Readable || Buffer.isBuffer(data) ? data : Buffer.from(data);
    if (declared !== '') ctx.set('content-length', declared); // Koa drops it for streams
    return;
  }
  if (!typed) ctx.set('content-type', 'application/json; charset=utf-8');
  ctx.body = typed && typeof data === 'string' ? data : JSON.stringify(data);
}
