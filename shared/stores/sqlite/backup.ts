import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#errors.ts';
import type { BackedUp } from '../stores.ts';
import { asStoreError, copyDatabases, readCopy } from './open.ts';

/** What the bus holds is news of the last minute: whoever opens the copy makes a new one. */
const databases = ['objects.db', 'state.db'];
const hashForm = /^[0-9a-f]{64}$/;

/**
 * Copies the stores of a folder to another one while any number of processes write: the databases as they were at one
 * moment, which is after the call; then the files, none of which is ever changed or removed. The copy is checked:
 * integrity and rows of the databases (`unavailable` when they do not hold), the hash of each file.
 */
export async function backUpFolder(from: string, to: string): Promise<BackedUp> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  try {
    const rows = await copyDatabases(databases.map((name) => ({ from: join(from, name), to: join(to, name) })));
    for (const [place, name] of databases.entries()) await check(join(to, name), rows[place]!);
    await mkdir(join(to, 'files'), { mode: 0o700 });
    const files = await copyFiles(join(from, 'files'), join(to, 'files'));
    const objects = rows[0]!;
    const howMany = [...objects].reduce((sum, [table, count]) => sum + (table.startsWith('objects_') ? count : 0), 0);
    return { documents: howMany, ...files };
  } catch (error) {
    throw asStoreError(error);
  }
}

async function check(path: string, expected: ReadonlyMap<string, number>): Promise<void> {
  const { integrity, rows } = await readCopy(path);
  const wrong = [...expected].filter(([table, count]) => rows.get(table) !== count).map(([table]) => table);
  if (integrity === 'ok' && wrong.length === 0) return;
  const publicText = `The copy ${path} is damaged: ${integrity === 'ok' ? `rows are missing in ${wrong.join(', ')}` : integrity}`;
  throw new AppError('unavailable', publicText, { publicText });
}

async function copyFiles(from: string, to: string): Promise<Omit<BackedUp, 'documents'>> {
  const damaged: string[] = [];
  const done = { files: 0, bytes: 0 };
  for (const shard of await readdir(from)) {
    if (!/^[0-9a-f]{2}$/.test(shard)) continue; // what is being received has no name yet
    await mkdir(join(to, shard), { recursive: true, mode: 0o700 });
    for (const name of await readdir(join(from, shard))) {
      if (!hashForm.test(name)) continue;
      const { hash, size } = await copyFile(join(from, shard, name), join(to, shard, name));
      if (hash !== name) damaged.push(name);
      done.files += 1;
      done.bytes += size;
    }
    await sync(join(to, shard));
  }
  await sync(to);
  return { ...done, damaged };
}

async function copyFile(from: string, to: string): Promise<{ readonly hash: string; readonly size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(createReadStream(from), measure, createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }));
  return { hash: hash.digest('hex'), size };
}

async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
}
