import { createHash, createHmac, type Hmac } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#errors.ts';
import type { Envelope, ServiceRequest } from '#service/index.ts';
import type { CrudOptions } from './options.ts';

const kept = 24 * 3600 * 1000; // ms
const running = 10 * 60 * 1000; // ms: whoever fell over while working leaves the key for so long
const longest = 255;

type Kept = { readonly digest: string; readonly answer?: Envelope };

/**
 * `Idempotency-Key`: the first answer is given again for 24 h. Errors: `unprocessable` when another body comes with the
 * key, `conflict` while the first request runs. A request that failed does not count: it may be sent again.
 */
export async function onceByKey(
  request: ServiceRequest,
  { state, digestKey }: Pick<CrudOptions, 'state' | 'digestKey'>,
  work: () => Promise<Envelope>,
): Promise<Envelope> {
  const given = request.get('idempotency-key');
  if (given === '') return work();
  if (given.length > longest) throw refusal('bad_request', `Idempotency-Key has more than ${longest} characters`);
  const key = `idempotency:${digestOf(request.user?.id ?? '', request.originalUrl, given)}`;
  const digest = await digestOfBody(request, digestKey);
  if (await state.putIfAbsent(key, JSON.stringify({ digest } satisfies Kept), running)) {
    const answer = await work().catch(async (error: unknown) => {
      await state.remove([key]);
      throw error;
    });
    // when this fails the key stays taken for a while: better than doing the work twice
    await state.put(key, JSON.stringify({ digest, answer } satisfies Kept), kept);
    return answer;
  }
  const held = await state.get(key);
  const { digest: before, answer } = (held === undefined ? { digest } : JSON.parse(held)) as Kept;
  if (before !== digest) throw refusal('unprocessable', 'The Idempotency-Key was used with another body');
  if (answer) return answer;
  throw refusal('conflict', 'The first request with this Idempotency-Key has not ended yet', { 'retry-after': '1' });
}

const refusal = (
  code: 'bad_request' | 'unprocessable' | 'conflict',
  publicText: string,
  headers: Record<string, string> = {},
) => new AppError(code, undefined, { publicText, headers });

const digestOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** Keyed: a body may hold a password, and a plain digest of it would be quick to guess against. */
async function digestOfBody({ body, files }: ServiceRequest, key: Buffer): Promise<string> {
  const hash: Hmac = createHmac('sha256', key).update(JSON.stringify(body ?? null));
  for (const [name, uploads] of Object.entries(files)) {
    for (const upload of uploads) {
      hash.update(JSON.stringify([name, upload.name, upload.mime, upload.size]));
      const content = createHash('sha256');
      await pipeline(upload.stream(), content);
      hash.update(content.digest());
    }
  }
  return hash.digest('base64url');
}
