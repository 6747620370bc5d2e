import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { AppError } from '#errors.ts';
import { openData, type Data } from '../../test/support/open-data.ts';
import { bodyOf, exportText, importText } from '../../test/support/transfer.ts';

const classes = [
  {
    name: 'thing',
    key: ['id'],
    properties: [
      { name: 'id', type: 0 },
      { name: 'text', type: 0, nullable: true, unique: true },
      { name: 'file', type: 5, nullable: true },
    ],
  },
];
const howMany = 1700;

/** The bytes up to a place, then the stream breaks as when the process is killed. */
function* broken(bytes: Buffer, at: number): Generator<Buffer> {
  for (let start = 0; start < at; start += 10_000) yield bytes.subarray(start, Math.min(at, start + 10_000));
  throw new Error('killed');
}

describe('an import that was stopped', () => {
  let from: Data;
  let to: Data;
  let bytes: Buffer;
  let whole: string;
  beforeEach(async () => {
    [from, to] = [await openData(classes), await openData(classes)];
    const body = Buffer.alloc(300_000, 'x').toString('base64');
    await from.repo.create('thing', { id: '0555', file: { name: 'a', mime: 'text/plain', body } });
    const ids = Array.from({ length: howMany }, (_, n) => String(n).padStart(4, '0')).filter((id) => id !== '0555');
    await from.stores.objects.write(
      ids.map((id) => ({ op: 'insert', collection: 'thing@demo', id, doc: { id, text: id }, revision: 3 }) as const),
      { atomic: true },
    );
    const { text } = await exportText(from);
    whole = bodyOf(text);
    bytes = Buffer.from(text);
  });
  afterEach(async () => {
    await from.close();
    await to.close();
  });

  it('goes on, and the outcome is as without, wherever it broke off', async () => {
    let resumed = 0;
    for (const part of [0.0001, 0.3, 0.5, 0.7, 0.701, 0.9, 0.99]) {
      const at = Math.floor(bytes.length * part);
      expect(await importText(to, broken(bytes, at)).catch((error: Error) => error.message)).to.equal('killed');
    }
    const { counts, resumedAfter } = await importText(to, [bytes]);
    resumed = resumedAfter ?? 0;
    expect(resumed).to.be.greaterThan(1000);
    expect(counts).to.deep.include({ replaced: 0, skipped: 0, faults: 0 });
    expect(counts.created + counts.same).to.equal(howMany);
    expect(bodyOf((await exportText(to)).text)).to.equal(whole);
    expect((await importText(to, [bytes])).resumedAfter, 'nothing is left of it').to.equal(undefined);
  });

  it('replaces no object twice, and tells each fault once', async () => {
    const other = (id: string, text: string) =>
      ({ op: 'insert', collection: 'thing@demo', id, doc: { id, text } }) as const;
    await to.stores.objects.write([other('0100', 'old'), other('x', '0200'), other('1200', 'older'), other('y', '1300')], { atomic: true }); // prettier-ignore
    for (const part of [0.4, 0.5, 0.8]) await importText(to, broken(bytes, Math.floor(bytes.length * part)), { mode: 'replace' }).catch(() => {}); // prettier-ignore
    const { counts, faults } = await importText(to, [bytes], { mode: 'replace' });
    expect(faults.map(({ id, code }) => [id, code])).to.deep.equal([['0200', 'unique'], ['1300', 'unique']]); // prettier-ignore
    expect(counts.faults).to.equal(2);
    const revisions = (await to.stores.objects.get('thing@demo', ['0100', '1200'])).map((one) => one?.revision);
    expect(revisions).to.deep.equal([2, 2]);
  });

  it('tells no fault twice when it was killed between a fault and the note of how far it came', async () => {
    const text = bytes.toString().replaceAll(/"text":"(0100|1200)"/g, '"text":"0000"');
    let notes = 0;
    const objects = {
      ...to.stores.objects,
      write: async (...[writes, how]: Parameters<typeof to.stores.objects.write>) => {
        if (writes[0]?.collection === '_transfers' && (notes += 1) === 3) throw new Error('killed');
        return to.stores.objects.write(writes, how);
      },
    };
    expect(await importText(to, text, {}, { objects }).catch((error: Error) => error.message)).to.equal('killed');
    const { faults, counts } = await importText(to, text);
    expect(faults.map(({ id }) => id)).to.deep.equal(['0100', '1200']);
    expect(counts.faults).to.equal(2);
    expect((await importText(to, text)).faults, 'anew').to.have.length(2);
  });

  it('stops also while it waits for more, and within a file', async () => {
    for (const place of ['"part":1', '"id":"0900"']) {
      const stop = new AbortController();
      const source = new PassThrough();
      source.write(bytes.subarray(0, bytes.indexOf(place)));
      setTimeout(() => stop.abort(), 100);
      const { stoppedAfter } = await importText(to, source, {}, { signal: stop.signal });
      expect(stoppedAfter).to.be.greaterThan(500);
    }
    expect((await importText(to, [bytes])).counts).to.deep.include({ created: howMany, faults: 0 });
    expect(bodyOf((await exportText(to)).text)).to.equal(whole);
  });

  it('goes on to the last line when all before it was taken', async () => {
    await from.stores.objects.raise('thing@demo.number', 7);
    const { text } = await exportText(from);
    const all = Buffer.from(text);
    const raise = async () => {
      throw new Error('killed');
    };
    const objects = { ...to.stores.objects, raise };
    expect(await importText(to, [all], {}, { objects }).catch((error: Error) => error.message)).to.equal('killed');
    const rest = await importText(to, [all]);
    expect(rest.resumedAfter).to.equal(text.split('\n').length - 2);
    expect(rest.faults).to.deep.equal([]);
    expect(await to.stores.objects.reserve('thing@demo.number', 1)).to.equal(8);
  });

  it('stops when asked, says where, and goes on', async () => {
    const stop = new AbortController();
    let read = 0;
    const progress = (done: number) => {
      read = done;
      stop.abort();
    };
    const stopped = await importText(to, [bytes], {}, { signal: stop.signal, progress });
    expect(stopped.stoppedAfter).to.be.within(500, 700);
    expect(read).to.be.greaterThan(0);
    const rest = await importText(to, [bytes]);
    expect(rest).to.deep.include({ resumedAfter: stopped.stoppedAfter, stoppedAfter: undefined });
    expect(rest.counts.created).to.equal(howMany);
    expect(bodyOf((await exportText(to)).text)).to.equal(whole);
  });

  it('does not go on with a file that was changed before that place, unless it begins anew', async () => {
    await importText(to, broken(bytes, Math.floor(bytes.length * 0.9))).catch(() => {});
    const changed = Buffer.from(bytes.toString().replace('"text":"0001"', '"text":"one!"'));
    const refused = await importText(to, [changed]).catch((error: AppError) => error.publicText);
    expect(refused).to.match(/not the one whose import stopped at line \d+.*--restart/);
    const anew = await importText(to, [changed], { restart: true, mode: 'replace' });
    expect(anew.resumedAfter).to.equal(undefined);
    expect(anew.counts.replaced).to.equal(1);
    const corrected = Buffer.from(bytes.toString().replace('"text":"1699"', '"text":"end!"'));
    await importText(to, broken(bytes, Math.floor(bytes.length * 0.9)), { mode: 'skip' }).catch(() => {});
    expect((await importText(to, [corrected], { mode: 'skip' })).resumedAfter, 'changed after it').to.be.greaterThan(500); // prettier-ignore
  });

  it('begins anew when other things are asked', async () => {
    await importText(to, broken(bytes, Math.floor(bytes.length * 0.9))).catch(() => {});
    expect((await importText(to, [bytes], { mode: 'skip' })).resumedAfter).to.equal(undefined);
  });
});
