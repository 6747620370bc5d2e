import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { isErrno } from './errno.ts';
import type { Finding, Source } from './definition.ts';
import { mergeOver } from './override.ts';

const definition = /^(.*)\.(class|type)\.(json|ya?ml)$/;

/** Definition files of an application's `meta` folder, in the order of their names, with their override files merged over. */
export async function readSources(
  folder: string,
  faults: Finding[],
): Promise<{ classes: readonly Source[]; types: readonly Source[] }> {
  const files = new Set(await list(join(folder, 'meta')));
  const classes: Source[] = [];
  const types: Source[] = [];
  for (const file of [...files].sort()) {
    const [, stem, kind] = definition.exec(file) ?? [];
    const isType = file.startsWith('types/');
    if (stem === undefined || isType !== (kind === 'type')) continue;
    const over = [`${stem}.${kind}`, stem].flatMap((one) =>
      ['json', 'yml', 'yaml'].map((ending) => `${one}.override.${ending}`),
    );
    let content = await read(folder, file, faults);
    for (const one of over.filter((name) => files.has(name)))
      content = mergeOver(content, await read(folder, one, faults));
    if (content !== undefined) (isType ? types : classes).push({ file: `meta/${file}`, content });
  }
  return { classes, types };
}

async function list(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []; // an application need not have classes
    throw error;
  }
}

async function read(folder: string, file: string, faults: Finding[]): Promise<unknown> {
  const text = (await readFile(join(folder, 'meta', file), 'utf8')).replace(/^\uFEFF/, '');
  try {
    return file.endsWith('.json') ? JSON.parse(text) : parseYaml(text);
  } catch (error) {
    faults.push({ file: `meta/${file}`, path: '', message: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}
