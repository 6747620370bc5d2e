import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** An application of one's own: files by path, texts or values that become JSON. */
export async function writeApplication(files: Readonly<Record<string, unknown>>) {
  const folder = await mkdtemp(join(tmpdir(), 'portico-application-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
