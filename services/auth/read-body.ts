import { AppError } from '#errors.ts';
import type { AuthContext } from './state.ts';

/** Bytes. Sign-in and consent need no more. */
const longest = 16 * 1024;

async function readText(ctx: AuthContext): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longest) throw new AppError('too_large', undefined, { headers: { Connection: 'close' } });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const toForm = (text: string): URLSearchParams => new URLSearchParams(text);

/** No body is an empty form. Errors: unsupported, too_large. */
export async function readForm(ctx: AuthContext): Promise<URLSearchParams> {
  const text = await readText(ctx);
  if (text !== '' && ctx.is('urlencoded') === false) throw new AppError('unsupported', ctx.get('content-type'));
  return toForm(text);
}

/** A form, or the members of a JSON object that are strings. Errors: unsupported, too_large, bad_request. */
export async function readFields(
  ctx: AuthContext,
): Promise<{ readonly fields: URLSearchParams; readonly json: boolean }> {
  if (ctx.is('json') === false) return { fields: await readForm(ctx), json: false };
  const body = parseObject(await readText(ctx));
  const strings = Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { fields: new URLSearchParams(strings), json: true };
}

function parseObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('bad_request', 'not JSON', { cause, publicText: 'The body cannot be read as JSON' });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new AppError('bad_request', 'not an object', { publicText: 'The body is not a JSON object' });
}
