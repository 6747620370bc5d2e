import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The installation's secret: the configured one, or the one kept in the data folder (made at the first start, mode 0600).
 * Two processes that start at once end with the same.
 */
export async function loadSecret(configured: string | undefined, dataFolder: string): Promise<Buffer> {
  if (configured !== undefined) return Buffer.from(configured);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const path = join(dataFolder, 'secret');
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(randomBytes(32).toString('base64url'));
    await file.sync();
    await file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return waitForContent(path);
}

/** The other process may have made the file and not yet written it. */
async function waitForContent(path: string): Promise<Buffer> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const content = await readFile(path);
    if (content.length >= 32) return content;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${path} holds no secret of 32 bytes or more; remove it to make a new one (sessions and tokens end)`);
}
