import { createHash } from 'node:crypto';
import { AppError } from '#errors.ts';
import type { ObjectStore } from '#stores/object-store.ts';
import type { LineReader } from './read-lines.ts';

const collection = '_transfers';

export interface ImportCounts {
  created: number;
  replaced: number;
  /** Were there with this very content. */
  same: number;
  /** Were there with another one, and stay. */
  skipped: number;
  files: number;
  accounts: number;
  roles: number;
  faults: number;
}

export const noCounts: Readonly<ImportCounts> = {
  created: 0,
  replaced: 0,
  same: 0,
  skipped: 0,
  files: 0,
  accounts: 0,
  roles: 0,
  faults: 0,
};

interface Saved {
  readonly line: number;
  readonly counts: ImportCounts;
  /** Bytes of the file of faults. */
  readonly faultBytes: number;
}

/** How far an import has come: kept in the store that takes it, so that whoever goes on needs nothing else. */
export interface Cursor {
  /** Reads on to where the import stopped; undefined: there is nothing to go on with. */
  find(reader: LineReader): Promise<Saved | undefined>;
  /** Gives the line. */
  save(saved: Omit<Saved, 'line'>, reader: LineReader): Promise<number>;
  remove(): Promise<void>;
}

/** @param about what makes another import of it: the first line of the file, and what was asked */
export function createCursor(about: unknown, objects: Pick<ObjectStore, 'get' | 'write'>): Cursor {
  const id = createHash('sha256').update(JSON.stringify(about)).digest('hex');
  return {
    async find(reader) {
      const [stored] = await objects.get(collection, [id]);
      if (!stored) return undefined;
      const { digest, counts } = stored.doc;
      const [line, faultBytes] = [Number(stored.doc['line']), Number(stored.doc['faultBytes'])];
      while (reader.position().line < line && (await reader.next()));
      if (reader.position().digest === digest) {
        return { line, counts: counts as unknown as ImportCounts, faultBytes };
      }
      const publicText = `The file is not the one whose import stopped at line ${line}. With --restart it begins anew`;
      throw new AppError('conflict', publicText, { publicText });
    },
    async save({ counts, faultBytes }, reader) {
      const { line, digest } = reader.position();
      const doc = { line, digest, counts: { ...counts }, faultBytes };
      await objects.write([{ op: 'upsert', collection, id, doc }], { atomic: true });
      return line;
    },
    async remove() {
      await objects.write([{ op: 'delete', collection, id }], { atomic: true });
    },
  };
}
