import { expect } from 'chai';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import type { FileStore, StoredFile } from '#stores/file-store.ts';
import { killedAfter, type Place } from './place.ts';
import { thrown } from './thrown.ts';

const limit = 10_000_000;
const hashOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

/** What callers may rely on, of any adapter. */
export function fileStoreContract(adapter: string, makePlace: () => Promise<Place<FileStore>>): void {
  describe(`FileStore on ${adapter}`, () => {
    let place: Place<FileStore>;
    let store: FileStore;
    beforeEach(async () => {
      place = await makePlace();
      store = await place.open();
    });
    afterEach(async () => {
      await store.close();
      await place.remove();
    });
    const put = (content: string): Promise<StoredFile> => store.put(Readable.from([Buffer.from(content)]), limit);
    const read = async (hash: string): Promise<string | undefined> => {
      const content = await store.open(hash);
      return content && text(content);
    };

    it('gives content back by its hash', async () => {
      const stored = await put('hello Ж');
      expect(stored).to.deep.equal({ hash: hashOf('hello Ж'), size: 8 });
      expect(await read(stored.hash)).to.equal('hello Ж');
    });

    it('keeps nothing as nothing, and a large file whole', async () => {
      expect(await put('')).to.deep.equal({ hash: hashOf(''), size: 0 });
      expect(await read(hashOf(''))).to.equal('');
      const pieces = Array.from({ length: 50 }, () => randomBytes(70_001));
      const { hash, size } = await store.put(Readable.from(pieces), limit);
      expect([hash, size]).to.deep.equal([hashOf(Buffer.concat(pieces)), 50 * 70_001]);
      expect((await buffer((await store.open(hash))!)).equals(Buffer.concat(pieces))).to.equal(true);
    });

    it('keeps the same content once, also when it comes twice at the same moment', async () => {
      const both = await Promise.all([put('same'), put('same'), put('same')]);
      expect(new Set(both.map(({ hash }) => hash)).size).to.equal(1);
      await store.remove(both[0].hash);
      expect(await read(both[0].hash)).to.equal(undefined);
    });

    it('takes a file of exactly the limit, and nothing of a larger one', async () => {
      expect((await store.put(Readable.from([Buffer.from('12345')]), 5)).size).to.equal(5);
      const source = Readable.from([Buffer.from('123'), Buffer.from('456')]);
      expect(await thrown(store.put(source, 5))).to.match(/^too_large/);
      expect(source.destroyed).to.equal(true);
      expect(await read(hashOf('123456'))).to.equal(undefined);
      expect(await read(hashOf('123'))).to.equal(undefined);
    });

    it('keeps nothing when the source fails, and says why', async () => {
      async function* broken(): AsyncGenerator<Buffer> {
        yield Buffer.from('first');
        throw new Error('the line was cut');
      }
      const failed = await store.put(Readable.from(broken()), limit).catch((error: unknown) => String(error));
      expect(failed).to.match(/the line was cut/);
      expect(await read(hashOf('first'))).to.equal(undefined);
    });

    it('keeps nothing when the source is destroyed before its end', async () => {
      const source = new Readable({ read() {} });
      source.push('first');
      const failed = store.put(source, limit).catch((error: unknown) => error);
      setImmediate(() => source.destroy());
      expect(await failed).to.be.instanceOf(Error);
      expect(await read(hashOf('first'))).to.equal(undefined);
    });

    it('knows no content by what is no hash', async () => {
      await put('hello');
      for (const hash of [
        '',
        '..',
        '../../objects.db',
        'a/b',
        hashOf('other'),
        hashOf('hello').toUpperCase(),
        `${hashOf('hello')}\n`,
      ]) {
        expect(await store.open(hash), hash).to.equal(undefined);
        await store.remove(hash);
      }
      expect(await read(hashOf('hello'))).to.equal('hello');
    });

    it('removes content, which can come again', async () => {
      const { hash } = await put('hello');
      await store.remove(hash);
      await store.remove(hash);
      expect(await store.open(hash)).to.equal(undefined);
      await put('hello');
      expect(await read(hash)).to.equal('hello');
    });

    it('has every acknowledged file, whole, when a writer is killed', async function test() {
      this.timeout(30_000);
      for (let round = 0; round < 5; round++) {
        const saved = (await killedAfter(place, { do: 'saveForever', from: 0 }, 10 + 10 * round)) as StoredFile[];
        for (const { hash, size } of saved) {
          const content = await buffer((await store.open(hash))!);
          expect([hashOf(content), content.length]).to.deep.equal([hash, size]);
        }
      }
    });

    it('shares its files with other connections, which leave a file under way alone', async () => {
      const source = new Readable({ read() {} });
      const under = store.put(source, limit);
      source.push('first ');
      await new Promise((done) => setTimeout(done, 20));
      const other = await place.open();
      try {
        source.push('second');
        source.push(null);
        const { hash } = await under;
        expect(await text((await other.open(hash))!)).to.equal('first second');
      } finally {
        await other.close();
      }
    });
  });
}
