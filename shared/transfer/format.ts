import { isPlainDoc } from './plain-doc.ts';
import type { Doc } from '#stores/object-store.ts';

/** Of the file; a newer one is refused (docs/moving-data.md). */
export const formatVersion = 1;

/** First line. */
export interface Header {
  readonly kind: 'header';
  readonly format: number;
  /** Tells one export from another. */
  readonly id: string;
  readonly namespace: string;
  readonly program: string;
  readonly made: string;
  readonly classes?: readonly string[];
  readonly filter?: unknown;
  readonly accounts: boolean;
  readonly hashes: boolean;
}

export interface ObjectLine {
  readonly kind: 'object';
  readonly class: string;
  readonly id: string;
  readonly revision: number;
  readonly doc: Doc;
}

export interface SystemLine {
  readonly kind: 'role' | 'account' | 'access' | 'seed';
  readonly id: string;
  readonly doc: Doc;
}

/** A part of a file's content; parts follow one another, before the first object of `collection` that has the file. */
export interface ContentLine {
  readonly kind: 'file';
  readonly hash: string;
  readonly collection: string;
  readonly part: number;
  /** Base64. */
  readonly content: string;
  readonly last?: true;
}

/** Last line: without it the file is not whole. */
export interface EndLine {
  readonly kind: 'end';
  readonly counters: Readonly<Record<string, number>>;
}

export type ItemLine = ObjectLine | SystemLine;
export type AnyLine = Header | ItemLine | ContentLine | EndLine;

/** Bytes of a file's content in one line. */
export const partSize = 192 * 1024;
/** Contents that were just written are not written again; no more are remembered, so that memory stays bounded. */
export const rememberedContents = 100_000;

export const toLine = (line: AnyLine): string => `${JSON.stringify(line)}\n`;

/** What a line says, or what is wrong with it. */
export function parseLine(text: string): AnyLine | { readonly fault: string } {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return { fault: 'is not JSON' };
  }
  if (!isPlainDoc(line)) return { fault: 'is no JSON object' };
  const { kind, id, doc } = line;
  switch (kind) {
    case 'header':
      return isHeader(line) ? (line as unknown as Header) : { fault: 'is no header of an export' };
    case 'object':
    case 'role':
    case 'account':
    case 'access':
    case 'seed': {
      if (typeof id !== 'string' || id === '' || !id.isWellFormed() || id.includes('\0')) {
        return { fault: '"id" must be text that is not empty' };
      }
      if (!isPlainDoc(doc)) return { fault: '"doc" must be an object' };
      if (kind !== 'object') return { kind, id, doc };
      const { class: code, revision = 1 } = line;
      if (typeof code !== 'string') return { fault: '"class" must name a class' };
      if (!isCount(revision) || revision < 1) return { fault: '"revision" must be a whole number from 1' };
      return { kind, class: code, id, revision, doc };
    }
    case 'file': {
      const { hash, part, content } = line;
      const isWhole = typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) && isCount(part);
      return isWhole && typeof content === 'string'
        ? (line as unknown as ContentLine)
        : { fault: 'is no part of a file' };
    }
    case 'end':
      return { kind, counters: countersOf(line['counters']) };
    default:
      return { fault: `"kind" is none that is known: ${JSON.stringify(kind)?.slice(0, 50)}` };
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const isHeader = ({ format, namespace }: Doc): boolean => isCount(format) && typeof namespace === 'string';

const countersOf = (value: unknown): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(isPlainDoc(value) ? value : {}).filter((one): one is [string, number] => isCount(one[1])),
  );
