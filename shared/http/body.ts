import { tmpdir } from 'node:os';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { koaBody } from 'koa-body';
import qs from 'qs';
import { AppError, toAppError } from '#errors.ts';
import type { UploadedFile } from '#service/request.ts';
import { checkShape } from './body-shape.ts';
import type { HttpContext } from './state.ts';

export interface BodyLimits {
  /** Bytes of JSON, forms and text. */
  readonly body: number;
  /** Bytes of one file. */
  readonly file: number;
  /** Items of one list. */
  readonly items: number;
  /** Levels of nesting. */
  readonly depth: number;
}

export interface ParsedBody {
  readonly body: unknown;
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>;
}

type Formidable = NonNullable<NonNullable<Parameters<typeof koaBody>[0]>['formidable']>;

export const noBody: ParsedBody = { body: undefined, files: {} };

/** Whether any bytes of a body can follow the head (RFC 9112 section 6.3). */
export const hasBody = ({ req }: Pick<HttpContext, 'req'>): boolean =>
  req.headers['transfer-encoding'] !== undefined || (req.headers['content-length'] ?? '0') !== '0';
const qsOptions = { depth: 5, parameterLimit: 10_000, arrayLimit: 1000, allowDots: false, plainObjects: true };

/** Form and query values by name; `a[]=1`, `a[b]=1` nest, dots do not. Every name is data, those of Object.prototype too. */
export function parseNested(source: string | Record<string, string>): Record<string, unknown> {
  if (source === '') return {};
  const text = typeof source === 'string' ? source : Object.keys(source).join();
  if (/__proto__|%5f%5fproto/i.test(text)) {
    throw new AppError('bad_request', undefined, {
      publicText: 'The name __proto__ is not possible in a form or query',
    });
  }
  return toPlain(qs.parse(source, qsOptions)) as Record<string, unknown>;
}

/** qs gives objects without prototype, so that it need not drop names; services expect ordinary ones. */
const toPlain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, toPlain(held)]));
};

/**
 * Reads the body by its content type: JSON, form, multipart, text. Other types are left unread.
 * Temporary files of uploads go when the answer is done. Errors: bad_request, too_large, unsupported, timeout.
 */
export function createBodyReader(limits: BodyLimits): (ctx: HttpContext) => Promise<ParsedBody> {
  const base = {
    jsonLimit: limits.body,
    formLimit: limits.body,
    textLimit: limits.body,
    jsonStrict: false,
    jsonTypes: ['json', '+json'],
    textTypes: ['text/*'],
    multipart: true,
    patchNode: false,
    queryString: qsOptions,
  };
  const parseBody = koaBody(base);
  return async (ctx) => {
    if (!hasBody(ctx) || !isParsed(ctx)) return noBody;
    const multipart = typeof ctx.is('multipart') === 'string';
    const uploads: string[] = [];
    try {
      const parse = multipart
        ? koaBody({ ...base, formidable: formidable(limits, await makeFolder(ctx), uploads) })
        : parseBody;
      await asPost(ctx, () => parse(ctx, async () => {}));
    } catch (thrown) {
      ctx.req.resume(); // the parsers pause where they give up; the rest is dropped, and the connection stays good for the next call
      throw toBodyError(thrown);
    }
    const parsed: { body?: unknown; files?: unknown } = ctx.request;
    if (parsed.body === '' || parsed.body === undefined) return noBody;
    const form = ctx.is('urlencoded') ? toPlain(parsed.body) : parsed.body;
    const body = multipart ? parseNested(parsed.body as Record<string, string>) : form;
    checkShape(body, limits);
    return { body, files: multipart ? uploadedFiles(parsed.files, uploads) : {} };
  };
}

const isParsed = (ctx: HttpContext): boolean =>
  typeof ctx.is('json', '+json', 'urlencoded', 'multipart', 'text/*') === 'string';

/** koa-body knows a closed list of methods; to it every body is a POST. */
async function asPost(ctx: HttpContext, parse: () => Promise<unknown>): Promise<void> {
  const { method } = ctx;
  ctx.method = 'POST';
  try {
    await parse();
  } finally {
    ctx.method = method;
  }
}

/** For the uploads of one request, closed to others on this machine. What the parser opens too late finds no folder to be left in. */
async function makeFolder(ctx: HttpContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-upload-')); // mode 0700
  const remove = () => {
    rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch((error: unknown) =>
      ctx.state.log.warn('temporary files stay', { folder, error }),
    );
  };
  if (ctx.res.closed) remove();
  else ctx.res.once('close', remove);
  return folder;
}

const formidable = (limits: BodyLimits, uploadDir: string, uploads: string[]): Formidable => ({
  uploadDir,
  maxFileSize: limits.file,
  maxTotalFileSize: limits.file * 2,
  maxFieldsSize: limits.body,
  maxFields: 1000,
  maxFiles: 100,
  allowEmptyFiles: true,
  minFileSize: 0,
  onFileBegin: (_name, file) => uploads.push(file.filepath),
});

interface FormidableFile {
  readonly filepath: string;
  readonly originalFilename: string | null;
  readonly mimetype: string | null;
  readonly size: number;
}

/** In the order of the parts; the parser gives them in the order they were written out. */
const uploadedFiles = (files: unknown, order: readonly string[]): ParsedBody['files'] =>
  Object.fromEntries(
    Object.entries((files ?? {}) as Record<string, FormidableFile | FormidableFile[]>).map(([name, held]) => [
      name.replace(/\[\]$/, ''),
      [held]
        .flat()
        .sort((one, other) => order.indexOf(one.filepath) - order.indexOf(other.filepath))
        .map(toUploadedFile),
    ]),
  );

const toUploadedFile = (file: FormidableFile): UploadedFile => ({
  name: file.originalFilename ?? '',
  mime: file.mimetype ?? 'application/octet-stream',
  size: file.size,
  stream: () => createReadStream(file.filepath),
});

/** The parsers' errors in our family: raw-body has `status`, formidable `httpCode`. */
function toBodyError(thrown: unknown): AppError {
  if (thrown instanceof AppError || typeof thrown !== 'object' || thrown === null) return toAppError(thrown);
  const { status, httpCode, message } = thrown as { status?: number; httpCode?: number; message?: string };
  const unreadable = (detail?: string) =>
    new AppError('bad_request', detail, { publicText: 'The body cannot be read as its content type says' });
  if (thrown instanceof SyntaxError) return unreadable('no JSON'); // its message quotes what was sent
  switch (httpCode ?? status) {
    case 413:
      return new AppError('too_large', message);
    case 415:
      return new AppError('unsupported', message);
    case 408:
      return new AppError('timeout', message);
    case 400:
      return unreadable(message);
    default:
      return /Malformed|zlib|header check|Parser/i.test(message ?? '') ||
        (thrown as { code?: string }).code?.startsWith('Z_')
        ? unreadable(message)
        : toAppError(thrown);
  }
}
