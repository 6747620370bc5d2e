import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { ConfigError } from './config-error.ts';
import { isTree, merge, valueAt, type Tree } from './merge.ts';

/** A file that says a part of the deployment, and where its content stands in the whole. */
interface Part {
  readonly file: string;
  readonly at: readonly string[];
  readonly content: Tree;
}

export interface Deploy {
  /** The deploy file itself. */
  readonly file: string;
  readonly content: Tree;
  /** The file that said what stands at a path: the last of those that did. */
  readonly fileOf: (path: readonly string[]) => string;
}

const extensions = ['.yml', '.yaml', '.json'];
const isConfig = (file: string): boolean => extensions.includes(extname(file)) && !file.includes('.override.');

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The deploy file of a folder, or the file itself; undefined when there is none. `deploy.json` goes before `deploy.yml`. */
export async function findDeploy(at: string, cwd: string): Promise<string | undefined> {
  const path = isAbsolute(at) ? at : resolve(cwd, at);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) return path;
  for (const name of ['deploy.json', 'deploy.yml', 'deploy.yaml'])
    if (await isThere(join(path, name))) return join(path, name);
  return undefined;
}

/** JSON or YAML as an object. Fault: not readable, not parsable, no object. */
export async function readTree(file: string): Promise<Tree> {
  const fault = (message: string, cause?: unknown) => new ConfigError([{ file, path: '', message }], cause);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw fault('cannot be read', cause);
  });
  try {
    const content: unknown = extname(file) === '.json' ? JSON.parse(text.replace(/^\uFEFF/, '')) : parseYaml(text);
    if (isTree(content)) return content;
  } catch (cause) {
    throw fault(`cannot be parsed: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
  throw fault('holds no object');
}

const listConfigs = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && isConfig(entry.name));
  return files.map((entry) => join(folder, entry.name)).sort();
};

const stem = (file: string): string => basename(file, extname(file));

async function listParts(folder: string): Promise<readonly { file: string; at: readonly string[] }[]> {
  const modules = join(folder, 'deploy', 'modules');
  const top = (await listConfigs(join(folder, 'deploy'))).map((file) => ({ file, at: [] }));
  const named = (await listConfigs(modules)).map((file) => ({ file, at: ['modules', stem(file)] }));
  const folders = await readdir(modules, { withFileTypes: true }).catch(() => []);
  const inside = await Promise.all(
    folders
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) =>
        (await listConfigs(join(modules, name))).map((file) => ({ file, at: ['modules', name] })),
      ),
  );
  return [...top, ...named, ...inside.flat()];
}

const placed = ({ at, content }: Part): Tree =>
  at.reduceRight<Tree>((inner, name) => Object.fromEntries([[name, inner]]), content);

/** deploy.json (or .yml) with `deploy/` merged in and `deploy.override.json` merged over. */
export async function readDeploy(file: string): Promise<Deploy> {
  const folder = dirname(file);
  const read = async (of: { file: string; at: readonly string[] }): Promise<Part> => ({
    ...of,
    content: await readTree(of.file),
  });
  const twins = extensions.map((extension) => join(folder, `${stem(file)}${extension}`));
  const main: string[] = [];
  for (const twin of twins) if (twin !== file && (await isThere(twin))) main.push(twin);
  const parts: Part[] = await Promise.all([
    ...[...main, file].map((one) => read({ file: one, at: [] })),
    ...(await listParts(folder)).map(read),
  ]);
  const overrides: Part[] = [];
  for (const extension of extensions) {
    const override = join(folder, `${stem(file)}.override${extension}`);
    if (await isThere(override)) overrides.push(await read({ file: override, at: [] }));
  }
  const whole = parts.reduce<unknown>((sum, part) => merge(sum, placed(part), 'append'), {});
  const content = overrides.reduce((sum, part) => merge(sum, placed(part), 'replace'), whole);
  return {
    file,
    content: content as Tree,
    fileOf: (path) =>
      [...parts, ...overrides].findLast((part) => valueAt(placed(part), path) !== undefined)?.file ?? file,
  };
}
