import type { ConfigFault } from './config-error.ts';
import type { Lookup } from './ini.ts';
import { freezeDeep, isTree, valueAt } from './merge.ts';
import { typed } from './placeholders.ts';
import { settings, type SettingName, type Settings } from './settings.ts';

export const settingNames = Object.keys(settings) as readonly SettingName[];

/** `rest.maxCount` → `REST_MAX_COUNT` */
export const environmentName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase();

interface Sources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly ini: Lookup;
  /** `globals.settings` of deploy.json; names flat or nested. */
  readonly deployed: unknown;
  readonly fileOf: (path: readonly string[]) => string;
  /** Folder of the ini files, for faults. */
  readonly folder: string;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // not JSON: another reading of the text may fit
  }
};

/** What a text can mean, best reading first: a number or boolean, the text itself, JSON, a list with commas. */
const readings = (raw: unknown): readonly unknown[] => {
  if (typeof raw !== 'string') return [raw];
  const switches: Readonly<Record<string, boolean>> = { '1': true, '0': false };
  const list = raw.split(',').map((one) => one.trim());
  return [typed(raw), raw, switches[raw], parseJson(raw), list.filter((one) => one !== '')];
};

const whereFrom = (name: string, { env, ini, deployed, fileOf, folder }: Sources) => {
  const inEnvironment = env[environmentName(name)];
  if (inEnvironment !== undefined && inEnvironment !== '')
    return { raw: inEnvironment, file: 'environment', path: environmentName(name) };
  const inIni = ini(name);
  if (inIni !== undefined) return { raw: inIni, file: `${folder}/*.ini`, path: name };
  const path = ['globals', 'settings', ...(valueAt(deployed, [name]) === undefined ? name.split('.') : [name])];
  const raw = valueAt(deployed, path.slice(2));
  return raw === undefined ? undefined : { raw, file: fileOf(path), path: path.join('.') };
};

/** Each setting from the environment, the ini files, deploy.json or its default, in this order; and what does not fit. */
export function resolveSettings(sources: Sources): { settings: Settings; faults: readonly ConfigFault[] } {
  const faults: ConfigFault[] = [];
  const values = new Map<string, unknown>();
  for (const name of settingNames) {
    const { schema, fallback } = settings[name];
    const found = whereFrom(name, sources);
    const results = readings(found?.raw).map((reading) => schema.safeParse(reading));
    const fitting = results.find((result) => result.success);
    values.set(name, freezeDeep(fitting?.data ?? fallback));
    if (found !== undefined && fitting === undefined)
      faults.push({
        file: found.file,
        path: found.path,
        message: results[0]?.error?.issues[0]?.message ?? 'does not fit',
      });
  }
  return { settings: ((name: SettingName) => values.get(name)) as Settings, faults };
}

/** Names in `globals.settings` that look like ours and are none: most likely a slip. */
export function unknownSettings(deployed: unknown): readonly string[] {
  if (!isTree(deployed)) return [];
  const rooms = new Set(settingNames.map((name) => name.split('.')[0]));
  const named = Object.entries(deployed).flatMap(([name, value]) =>
    isTree(value) && !name.includes('.') ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );
  return named.filter((name) => rooms.has(name.split('.')[0]) && !(settingNames as readonly string[]).includes(name));
}
