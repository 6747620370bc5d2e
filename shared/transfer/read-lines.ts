import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';

export interface Line {
  /** From 1; empty lines count. */
  readonly number: number;
  /** Undefined: longer than allowed, its content is not kept. */
  readonly text: string | undefined;
  /** With its end. */
  readonly bytes: number;
}

/** Where one stands in a stream of lines: told by their number and a digest of everything before. */
export interface Position {
  readonly line: number;
  readonly digest: string;
}

/** Lines of a stream one by one, at most one piece of the stream and one line in memory. */
export interface LineReader {
  /** Undefined: the stream has ended. */
  next(): Promise<Line | undefined>;
  /** The line that came last comes again. */
  back(): void;
  /** After the line that came last. */
  position(): Position;
}

const newline = 0x0a;

interface Raw extends Line {
  readonly pieces: readonly Buffer[];
}

export function createLineReader(source: Readable, longest: number): LineReader {
  const lines = split(source, longest);
  const hash = createHash('sha256');
  let counted = 0;
  let current: Raw | undefined;
  let again: Raw | undefined;
  const commit = (): void => {
    for (const piece of current?.pieces ?? []) hash.update(piece);
    counted = current?.number ?? counted;
    current = undefined;
  };
  return {
    async next() {
      commit();
      current = again ?? (await lines.next()).value ?? undefined;
      again = undefined;
      return current;
    },
    back() {
      again = current;
      current = undefined;
    },
    position() {
      commit();
      return { line: counted, digest: hash.copy().digest('hex') };
    },
  };
}

async function* split(source: Readable, longest: number): AsyncGenerator<Raw, undefined> {
  let number = 0;
  let bytes = 0;
  let pieces: Buffer[] = [];
  /** Of a line that is too long: stands for it in the digest of the whole. */
  let dropped: Hash | undefined;
  const take = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes > longest && !dropped) {
      dropped = createHash('sha256');
      for (const one of pieces) dropped.update(one);
    }
    if (dropped) dropped.update(piece);
    else pieces.push(piece);
  };
  const end = (): Raw => {
    number += 1;
    const text = dropped ? undefined : textOf(Buffer.concat(pieces, bytes), number === 1);
    const raw = { number, text, bytes, pieces: dropped ? [dropped.digest()] : pieces };
    pieces = [];
    bytes = 0;
    dropped = undefined;
    return raw;
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (let start = 0; start < chunk.length;) {
      const found = chunk.indexOf(newline, start);
      const stop = found < 0 ? chunk.length : found + 1;
      take(chunk.subarray(start, stop));
      start = stop;
      if (found >= 0) yield end();
    }
  }
  if (bytes > 0) yield end();
  return undefined;
}

const textOf = (bytes: Buffer, isFirst: boolean): string => {
  const text = bytes.toString('utf8');
  return (isFirst ? text.replace(/^\uFEFF/, '') : text).trim();
};
