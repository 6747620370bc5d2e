import { AppError } from '#errors.ts';
import { isFileType } from '#data/present.ts';
import type { Item } from '#data/repository.ts';
import { isFileValue, type FileValue } from '#meta/types/file-value.ts';
import type { FileStore } from '#stores/file-store.ts';
import type { Envelope, ServiceRequest } from '#service/index.ts';

/** The content of a file attribute, always as an attachment; `not_found` when the object has no such file. */
export async function answerFile(
  request: ServiceRequest,
  item: Item,
  files: Pick<FileStore, 'open'>,
): Promise<Envelope> {
  const { property: name = '', file: hash } = request.params;
  const property = item.itsClass.properties.get(name);
  const held = property && isFileType(property) ? [item.doc[name]].flat().filter(isFileValue) : [];
  const file = hash === undefined ? held[0] : held.find((one) => one.hash === hash);
  if (!file) throw new AppError('not_found', `${item.itsClass.code} ${item.id} has no file ${name}`);
  const headers = headersOf(file);
  if (request.get('if-none-match').includes(headers.ETag)) return { status: 304, headers: { ETag: headers.ETag } };
  if (request.method === 'HEAD') return { data: null, headers };
  const content = await files.open(file.hash);
  if (!content) throw new AppError('not_found', `the content of ${name} of ${item.itsClass.code} ${item.id} is gone`);
  return { data: content, headers };
}

const headersOf = ({ hash, name, size, type }: FileValue) => ({
  'Content-Type': type,
  'Content-Length': size,
  'Content-Disposition': `attachment; filename="${toAscii(name)}"; filename*=UTF-8''${encode(name)}`,
  'X-Content-Type-Options': 'nosniff',
  ETag: `"${hash}"`,
});

const toAscii = (name: string): string => name.replace(/[^\x20-\x7e]|["\\%]/g, '_');

/** RFC 8187: what encodeURIComponent leaves alone and an extended value may not hold. */
const encode = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
