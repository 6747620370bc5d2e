import type { Envelope } from '../request.ts';

const envelopeKeys = new Set(['data', 'headers', 'status']);

const isEnvelope = (value: unknown): value is Envelope => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => envelopeKeys.has(key));
};

const namesType = (headers: Envelope['headers']): boolean =>
  (Array.isArray(headers) ? (headers as readonly string[]) : Object.keys(headers ?? {})).some((line) =>
    /^content-type\s*(:|$)/i.test(line),
  );

const asText = { 'Content-Type': 'text/plain; charset=utf-8' };

/** The answer of an old-style handler: a string without a Content-Type of its own goes out as it is, as text. */
export function legacyAnswer(result: unknown): unknown {
  if (typeof result === 'string') return { data: result, headers: asText };
  if (!isEnvelope(result) || typeof result.data !== 'string' || namesType(result.headers)) return result;
  const headers: Envelope['headers'] = Array.isArray(result.headers)
    ? [...(result.headers as readonly string[]), `Content-Type: ${asText['Content-Type']}`]
    : { ...(result.headers as Record<string, string> | undefined), ...asText };
  return { ...result, headers };
}
