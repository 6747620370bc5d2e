import type { Property } from '../property.ts';
import type { Checked } from '../property.ts';

/** What an object keeps of a file: where its content is (SHA-256, hex) and what it was called. */
export interface FileValue {
  readonly [name: string]: string | number;
  readonly hash: string;
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

/** Files come in by upload, never by naming stored content: a value from outside is always a fault. */
export const refuseFile = (): Checked => ({ fault: 'must be a file: base64 text, {name, mime, body} or a form part' });

export const isFileValue = (value: unknown): value is FileValue =>
  typeof value === 'object' && value !== null && 'hash' in value && 'name' in value;

export const fileName = (value: unknown): string => (isFileValue(value) ? value.name : '');

/** What leaves of a file's description; never where it is kept. */
export const publicFile = (value: unknown): unknown =>
  isFileValue(value) ? { name: value.name, size: value.size, type: value.type } : null;

/** What is wrong with a file's type, or undefined. Allowed are extensions, media types, and `image/*`. */
export function fileTypeFault(file: Pick<FileValue, 'name' | 'type'>, property: Property): string | undefined {
  const allowed = property.allowedFileTypes;
  const extension = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
  const type = file.type.toLowerCase().split(';')[0]!.trim();
  const passes = (one: string) =>
    one.includes('/') ? one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))) : one === extension;
  return allowed.length === 0 || allowed.some(passes) ? undefined : `must be of type ${allowed.join(', ')}`;
}
