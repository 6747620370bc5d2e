import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#errors.ts';
import type { FileStore, StoredFile } from '../file-store.ts';

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Files named by their hash, in 256 folders. What is being received lies in `unfinished`. */
export async function createFileStore(folder: string): Promise<FileStore> {
  const unfinished = join(folder, 'unfinished');
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await removeLeftovers(unfinished);
  const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);

  /** Also over a file with the same content: one that is being removed comes back so. */
  async function keep(temporary: string, hash: string): Promise<void> {
    const shard = join(folder, hash.slice(0, 2));
    if ((await mkdir(shard, { recursive: true, mode: 0o700 })) !== undefined) await sync(folder);
    await rename(temporary, pathOf(hash));
    await sync(shard);
  }

  return {
    async put(content, maxBytes): Promise<StoredFile> {
      const temporary = join(unfinished, `${owner}~${randomUUID()}`);
      const hash = createHash('sha256');
      let size = 0;
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          size += chunk.length;
          if (size > maxBytes) return done(new AppError('too_large', `a file is larger than ${maxBytes} bytes`));
          hash.update(chunk);
          done(null, chunk);
        },
      });
      try {
        await pipeline(content, measure, createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }));
        const digest = hash.digest('hex');
        await keep(temporary, digest);
        return { hash: digest, size };
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async open(hash) {
      if (!isHash(hash)) return undefined;
      const file = await open(pathOf(hash)).catch(absent);
      return file?.createReadStream();
    },
    async remove(hash) {
      if (isHash(hash)) await rm(pathOf(hash), { force: true });
    },
    async close() {},
  };
}

const absent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

/** A new name outlives a power cut once its folder is synced; Windows cannot and need not. */
async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
}

const host = hostname().replaceAll(/[^\w.-]/g, '_');
/** Names this process: its number alone may belong to a later one. */
const owner = `${host}~${process.pid}~${Math.round(performance.timeOrigin)}`;
const forgotten = 24 * 3_600_000; // milliseconds without a byte, when nobody knows whether the writer still lives

async function removeLeftovers(unfinished: string): Promise<void> {
  for (const name of await readdir(unfinished)) {
    const path = join(unfinished, name);
    const found = await stat(path).catch(absent);
    if (found && (isAbandoned(name) || Date.now() - found.mtimeMs > forgotten)) await rm(path, { force: true });
  }
}

function isAbandoned(name: string): boolean {
  if (name.startsWith(`${owner}~`)) return false;
  const [where, pid] = name.split('~');
  if (where !== host) return false; // perhaps a container beside this one
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
