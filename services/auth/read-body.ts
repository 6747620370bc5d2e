import { AppError } from '#errors.ts';
import { createBodyReader, hasBody } from '#http/body.ts';
import type { AuthContext } from './state.ts';

/** Sign-in and consent need no more. */
const read = createBodyReader({ body: 16 * 1024, file: 1, items: 100, depth: 5 });

/** No body is an empty form. Errors: unsupported, too_large. */
export async function readForm(ctx: AuthContext): Promise<URLSearchParams> {
  if (hasBody(ctx) && ctx.is('urlencoded') === false) throw new AppError('unsupported', ctx.get('content-type'));
  return toFields((await read(ctx)).body ?? {});
}

/** A form, or the members of a JSON object that are strings. Errors: unsupported, too_large, bad_request. */
export async function readFields(
  ctx: AuthContext,
): Promise<{ readonly fields: URLSearchParams; readonly json: boolean }> {
  if (typeof ctx.is('json') !== 'string') return { fields: await readForm(ctx), json: false };
  const { body } = await read(ctx);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { fields: toFields(body), json: true };
  throw new AppError('bad_request', 'not an object', { publicText: 'The body is not a JSON object' });
}

const toFields = (body: object): URLSearchParams =>
  new URLSearchParams(Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
