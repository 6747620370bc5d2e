import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isErrno } from '#meta/errno.ts';
import type { Command } from './command.ts';
import { openBareStores } from './open-ground.ts';
import { textOf } from './read-arguments.ts';

export const backup: Command = {
  usage: 'backup <folder>',
  about: 'Copies the data folder, checked, while the application serves; whoever starts on the copy goes on from there',
  async run(args, context) {
    const { terminal } = context;
    const folder = resolve(textOf(args, 'folder'));
    const { config, stores } = await openBareStores(context);
    try {
      if (!stores.backUp) {
        terminal.warn(`The data lies in ${stores.kind}, whose own tools copy it: mongodump, and a copy of what Redis wrote (docs/moving-data.md)`); // prettier-ignore
        return 1;
      }
      if (!(await isFree(folder))) {
        terminal.warn(`${folder} is there and not empty`);
        return 1;
      }
      const unfinished = join(folder, '.unfinished');
      try {
        await mkdir(unfinished, { recursive: true, mode: 0o700 });
        await copySecret(config.installation.dataFolder, unfinished);
        const { damaged, ...copied } = await stores.backUp(unfinished);
        // objects.db is the last one to come: where it is, all is
        for (const name of (await readdir(unfinished)).toSorted(lastly('objects.db'))) {
          await rename(join(unfinished, name), join(folder, name));
        }
        terminal.say({ backup: folder, ...copied, ...(damaged.length > 0 ? { damaged } : {}) });
        if (damaged.length > 0)
          terminal.warn(`${damaged.length} stored files are damaged; they were copied as they are`);
        return damaged.length > 0 ? 1 : 0;
      } finally {
        await rm(unfinished, { recursive: true, force: true });
      }
    } finally {
      await stores.close();
    }
  },
};

const lastly =
  (name: string) =>
  (a: string, b: string): number =>
    Number(a === name) - Number(b === name);

async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return true;
    throw error;
  }
}

/** The one that was made and kept in the data folder: without it no session and no token of the copy counts. */
async function copySecret(from: string, to: string): Promise<void> {
  try {
    await copyFile(join(from, 'secret'), join(to, 'secret'), constants.COPYFILE_EXCL);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}
