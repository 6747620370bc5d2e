import type { Readable } from 'node:stream';
import { partSize, type ContentLine } from './format.ts';

/** A content as lines; parts are equally long, whatever pieces the store gives. */
export async function* contentLines(hash: string, collection: string, content: Readable): AsyncGenerator<ContentLine> {
  let part = 0;
  let held: Buffer[] = [];
  let length = 0;
  const take = (bytes: number): string => {
    const whole = Buffer.concat(held, length);
    held = [whole.subarray(bytes)];
    length -= bytes;
    return whole.toString('base64', 0, bytes);
  };
  for await (const piece of content as AsyncIterable<Buffer>) {
    held.push(piece);
    length += piece.length;
    // a full part is held back until more comes: the last one says that it is the last
    // oxlint-disable-next-line no-unmodified-loop-condition -- `take` changes the length
    while (length > partSize) yield { kind: 'file', hash, collection, part: part++, content: take(partSize) };
  }
  yield { kind: 'file', hash, collection, part, content: take(length), last: true };
}
