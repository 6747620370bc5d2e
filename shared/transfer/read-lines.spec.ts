import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { createLineReader } from './read-lines.ts';

const cut = (bytes: Buffer, at: readonly number[]): Buffer[] => {
  const places = [0, ...at.map((one) => one % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, place) => bytes.subarray(places[place], end));
};

async function readAll(pieces: readonly Buffer[], longest = 1000) {
  const reader = createLineReader(Readable.from(pieces), longest);
  const lines: (string | undefined)[] = [];
  for (let line = await reader.next(); line; line = await reader.next()) lines.push(line.text);
  return { lines, position: reader.position() };
}

describe('lines of a stream', () => {
  it('are the same, and so is the position, wherever the stream is cut', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((one) => one.replaceAll(/[\r\n\uFEFF]/g, ' '));
    await fc.assert(
      fc.asyncProperty(fc.array(text), fc.array(fc.nat()), async (lines, at) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const read = await readAll(cut(bytes, at));
        expect(read.lines).to.deep.equal(lines.map((line) => line.trim()));
        const digest = createHash('sha256').update(bytes).digest('hex');
        expect(read.position).to.deep.equal({ line: lines.length, digest });
      }),
    );
  });

  it('may lack the last end of line, have carriage returns and a byte order mark', async () => {
    expect((await readAll([Buffer.from('\uFEFFa\r\n\r\nb')])).lines).to.deep.equal(['a', '', 'b']);
  });

  it('that are too long are told and not kept; the position does not hang on how they came', async () => {
    const bytes = Buffer.from(`a\n${'x'.repeat(50)}\nb\n`);
    const one = await readAll([bytes], 10);
    expect(one.lines).to.deep.equal(['a', undefined, 'b']);
    expect(await readAll(cut(bytes, [5, 20, 21, 40]), 10)).to.deep.equal(one);
    const other = await readAll([Buffer.from(`a\n${'y'.repeat(50)}\nb\n`)], 10);
    expect(other.position.digest).to.not.equal(one.position.digest);
  });

  it('come again after a step back, which the position leaves out', async () => {
    const reader = createLineReader(Readable.from([Buffer.from('a\nb\nc\n')]), 10);
    await reader.next();
    const before = reader.position();
    expect((await reader.next())?.text).to.equal('b');
    reader.back();
    expect(reader.position()).to.deep.equal(before);
    expect((await reader.next())?.text).to.equal('b');
    expect(reader.position().line).to.equal(2);
    expect((await reader.next())?.text).to.equal('c');
  });
});
