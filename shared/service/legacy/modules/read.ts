import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { parse as parseYaml } from 'yaml';

const parse = (path: string, text: string): unknown => (extname(path) === '.json' ? JSON.parse(text) : parseYaml(text));
const isConfig = (path: string): boolean => ['.json', '.yml'].includes(extname(path));
const readText = (path: string): Promise<string> => readFile(path, 'utf8');

function processDir(
  folder: string,
  filter: (name: string) => boolean,
  handle: (path: string, folder: string) => void,
  onError?: (error: unknown) => void,
  recursive = true,
): void {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && recursive) processDir(path, filter, handle, onError);
      else if (filter(entry.name)) handle(path, folder);
    }
  } catch (error) {
    if (onError === undefined) throw error;
    onError(error);
  }
}

const read = {
  isConfig,
  processDir,
  readFile: readText,
  readJSON: async (path: string): Promise<unknown> => JSON.parse(await readText(path)) as unknown,
  readYAML: async (path: string): Promise<unknown> => parseYaml(await readText(path)) as unknown,
  readConfig: (path: string): unknown => parse(path, readFileSync(path, 'utf8')),
  readConfigAsync: async (path: string): Promise<unknown> => parse(path, await readText(path)),
};

export default read;
export { read as 'module.exports' };
