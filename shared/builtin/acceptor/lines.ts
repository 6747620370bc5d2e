import type { Readable } from 'node:stream';

/** A line, or one that was longer than allowed, whose content is not kept. */
export type Line = { readonly text: string } | { readonly tooLong: true };

const newline = 0x0a;

/** Lines of a stream in groups of at most `count` lines and about `bytes`; never more than that in memory. Blank lines are left out. */
export async function* groupLines(
  stream: Readable,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): AsyncGenerator<readonly Line[]> {
  let group: Line[] = [];
  let size = 0;
  let parts: Buffer[] = [];
  let length = 0;
  let isTooLong = false;

  const endLine = (): void => {
    const text = isTooLong ? '' : Buffer.concat(parts, length).toString('utf8').trim();
    if (isTooLong) group.push({ tooLong: true });
    else if (text !== '') group.push({ text });
    size += length;
    parts = [];
    length = 0;
    isTooLong = false;
  };

  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    while (start < chunk.length) {
      const found = chunk.indexOf(newline, start);
      const end = found < 0 ? chunk.length : found;
      if (length + end - start > bytes) {
        isTooLong = true;
        parts = [];
        length = 0;
      } else if (!isTooLong) {
        parts.push(chunk.subarray(start, end));
        length += end - start;
      }
      start = end + 1;
      if (found < 0) break;
      endLine();
      if (group.length >= count || size >= bytes) {
        yield group;
        group = [];
        size = 0;
      }
    }
  }
  endLine();
  if (group.length > 0) yield group;
}
