import { Readable } from 'node:stream';
import type { Property } from '#meta/class.ts';
import { fileTypeFault, isFileValue, type FileValue } from '#meta/types/file-value.ts';
import type { Value } from '#stores/object-store.ts';
import { addFault, type Draft, type IncomingFile, type Upload } from '../draft.ts';
import type { WriterDeps } from '../writer-deps.ts';

/**
 * Files of an attribute: base64 text, `{name, mime, body}`, a form part, or one the object has already, as answered.
 * Stored content cannot be named from outside.
 */
export function takeFiles(draft: Draft, property: Property, input: unknown, { limits }: WriterDeps): void {
  const { name, type } = property;
  draft.touched.add(name);
  const isList = type.shape === 'list';
  const sent = Array.isArray(input) ? (input as readonly unknown[]) : [input];
  if (!isList && sent.length > 1) return addFault(draft, name, 'type', 'must be one file');
  const held = [draft.current?.doc[name] ?? null].flat() as readonly Value[];
  const files: (IncomingFile | FileValue)[] = [];
  for (const one of sent) {
    const read = readFile(one, held);
    if (read === undefined) {
      return addFault(draft, name, 'file', 'must be a file: base64 text, {name, mime, body} or a form part');
    }
    const fault = fileTypeFault(read, property);
    if (fault !== undefined) return addFault(draft, name, 'file', fault);
    if (read.size > limits.file) return addFault(draft, name, 'file', `must have at most ${limits.file} bytes`);
    files.push(read);
  }
  if (isList && property.maxFileCount !== undefined && files.length > property.maxFileCount) {
    return addFault(draft, name, 'file', `must be at most ${property.maxFileCount} files`);
  }
  const kept = files.filter((one): one is FileValue => !isIncoming(one));
  if (kept.length === files.length) draft.doc[name] = isList ? kept : (kept[0] ?? null);
  else draft.files = new Map(draft.files).set(name, files);
}

export const isIncoming = (file: IncomingFile | Value): file is IncomingFile =>
  typeof file === 'object' && file !== null && 'open' in file && typeof file.open === 'function';

function readFile(input: unknown, held: readonly Value[]): IncomingFile | FileValue | undefined {
  if (typeof input === 'string') return fromBase64(input, '', '');
  if (typeof input !== 'object' || input === null) return undefined;
  const { name, mime, body, id, stream } = input as Partial<Record<string, unknown>>;
  if (typeof stream === 'function') return fromUpload(input as Upload);
  if (typeof body === 'string') return fromBase64(body, text(name), text(mime));
  return held.filter(isFileValue).find((one) => one.hash === id);
}

const fromUpload = (upload: Upload): IncomingFile => ({
  name: baseName(upload.name),
  type: mediaType(upload.mime),
  size: upload.size,
  open: () => upload.stream(),
});

/** Plain base64, its URL form, or a data URL. */
function fromBase64(input: string, name: string, mime: string): IncomingFile | undefined {
  const [, told = '', rest] = /^data:([^;,]*)(?:;[^;,]*)*;base64,(.*)$/s.exec(input) ?? [];
  const encoded = (rest ?? input).replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(encoded)) return undefined;
  const content = Buffer.from(encoded, 'base64');
  return {
    name: baseName(name),
    type: mediaType(mime || told),
    size: content.length,
    open: () => Readable.from([content]),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The last part of what may look like a path, without control characters. */
const baseName = (name: string): string => {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  return (
    last
      .replace(/\p{Cc}/gu, '')
      .toWellFormed()
      .slice(-255) || 'file'
  );
};

const mediaType = (mime: string): string =>
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mime) ? mime.toLowerCase() : 'application/octet-stream';
