import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Value } from '#stores/object-store.ts';
import type { Batch, IncomingFile } from '../draft.ts';
import type { WriterDeps } from '../writer-deps.ts';
import { isIncoming } from './take-files.ts';

/** Hashes passwords and stores files: what costs most, last, when nothing else stands against the batch. */
export async function keepContent({ drafts, dryRun, rules }: Batch, deps: WriterDeps): Promise<void> {
  for (const draft of drafts) {
    for (const name of draft.passwords) {
      const password = draft.doc[name];
      if (typeof password !== 'string' || (rules.seeds && isHash(password))) continue;
      draft.doc[name] = dryRun ? '' : await deps.hashPassword(password);
    }
    for (const [name, files] of draft.files) {
      const kept: Value[] = [];
      for (const file of files) kept.push(isIncoming(file) ? await keep(file, dryRun, deps) : file);
      const isList = draft.itsClass.properties.get(name)?.type.shape === 'list';
      draft.doc[name] = isList ? kept : (kept[0] ?? null);
    }
  }
}

/** Trusted files may hold what was hashed elsewhere. */
const isHash = (password: string): boolean => /^(\$argon2|pbkdf2\$)/.test(password);

async function keep(file: IncomingFile, dryRun: boolean, { files, limits }: WriterDeps): Promise<Value> {
  const { hash, size } = dryRun ? await measure(file) : await files.put(file.open(), limits.file);
  return { hash, size, name: file.name, type: file.type };
}

async function measure(file: IncomingFile): Promise<{ readonly hash: string; readonly size: number }> {
  const hash = createHash('sha256');
  await pipeline(file.open(), hash);
  return { hash: hash.digest('hex'), size: file.size };
}
