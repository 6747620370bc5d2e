import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import type { ComponentDefinitions, Config, RestModule } from './config.ts';
import { ConfigError, type ConfigFault } from './config-error.ts';
import { deploySchema, lenientComponents, tidy } from './deploy-schema.ts';
import { readVariables, type Env } from './environment.ts';
import { readIni } from './ini.ts';
import { isLoopback, readInstallation } from './installation.ts';
import { freezeDeep, valueAt } from './merge.ts';
import { lookupIn, replacePlaceholders } from './placeholders.ts';
import { findDeploy, readDeploy, type Deploy } from './read-deploy.ts';
import { resolveSettings, unknownSettings } from './resolve-settings.ts';

export interface LoadOptions {
  /** A deploy file, or a folder with one. */
  readonly deployPath?: string | undefined;
  /** `--app`: folder of the application; goes before PORTICO_APP. */
  readonly application?: string | undefined;
  readonly env: Env;
  /** Folder that relative paths and the data folder start from. */
  readonly cwd: string;
}

const ownFolder = resolve(import.meta.dirname, '../..');

/** deploy.json, ini files and environment as one frozen Config. Throws ConfigError with every fault. Nothing else reads the environment. */
export async function loadConfig({ deployPath, application, env, cwd }: LoadOptions): Promise<Config> {
  const { variables, faults: environmentFaults } = await readVariables(env, cwd);
  const asked = deployPath ?? application ?? variables.PORTICO_APP;
  const deploy = await readDeploy(await locate(asked, cwd));
  const folder = dirname(deploy.file);
  const ini = await readIni(folder);
  const { tree, unresolved } =
    deploy.content['parametrised'] === true
      ? replacePlaceholders(deploy.content, lookupIn(env, ini))
      : { tree: deploy.content, unresolved: [] };
  const { parts, faults: deployFaults } = checkDeploy(tree, deploy);
  const { installation, ...ofEnvironment } = readInstallation(variables, { namespace: parts.namespace, cwd });
  const sources = { env, ini, deployed: parts.settings, fileOf: deploy.fileOf, folder };
  const { settings, faults: settingFaults } = resolveSettings(sources);
  const faults = [...deployFaults, ...environmentFaults, ...ofEnvironment.faults, ...settingFaults];
  const publicHost = new URL(installation.publicUrl).hostname.replace(/^\[(.*)\]$/, '$1');
  const isReachable = !isLoopback(installation.host) || !isLoopback(publicHost); // also through a proxy on this machine
  if (settings('application.demo') && !installation.allowDemo && (installation.production || isReachable))
    faults.push(demoFault(deploy, installation));
  if (faults.length > 0) throw new ConfigError(faults);
  return freezeDeep<Config>({
    file: deploy.file,
    application: await applicationFolder(folder, parts.namespace),
    ...parts.config,
    settings,
    installation,
    warnings: [
      ...(unresolved.length > 0 ? [`no value for these placeholders: ${unresolved.join(', ')}`] : []),
      ...unknownSettings(parts.settings).map((name) => `globals.settings: there is no setting ${name}`),
      ...ofEnvironment.warnings,
    ],
  });
}

async function locate(asked: string | undefined, cwd: string): Promise<string> {
  const places = asked === undefined ? [cwd, ownFolder] : [asked];
  for (const place of places) {
    const found = await findDeploy(place, cwd);
    if (found !== undefined) return found;
  }
  throw new ConfigError([
    { file: resolve(cwd, places[0] ?? ''), path: '', message: 'holds no deploy.json or deploy.yml' },
  ]);
}

interface Parts {
  readonly namespace: string;
  readonly settings: unknown;
  readonly config: Pick<Config, 'namespace' | 'plugins' | 'rest' | 'registry'>;
}

/** The parts of the deployment that are ours, and every fault in them. */
function checkDeploy(tree: unknown, deploy: Deploy): { parts: Parts; faults: readonly ConfigFault[] } {
  const read = deploySchema.safeParse(tree);
  const settings = valueAt(tree, ['globals', 'settings']);
  if (!read.success) {
    const faults = read.error.issues.map((issue) => toFault(issue, deploy));
    return { parts: { namespace: 'unknown', settings, config: emptyConfig }, faults };
  }
  const { namespace, globals, modules } = read.data;
  const rest = modules?.rest?.globals;
  const config = {
    namespace,
    plugins: tidyAll(globals?.plugins),
    rest: { di: tidyAll(rest?.di), authMode: rest?.authMode ?? {}, endPoint: rest?.endPoint || undefined },
    registry: { di: lenientComponents(modules?.registry?.globals?.di) },
  };
  return { parts: { namespace, settings, config }, faults: [] };
}

const emptyRest: RestModule = { di: {}, authMode: {}, endPoint: undefined };
const emptyConfig = { namespace: '', plugins: {}, rest: emptyRest, registry: { di: {} } };

const tidyAll = (components: Record<string, Parameters<typeof tidy>[0]> | undefined): ComponentDefinitions =>
  Object.fromEntries(Object.entries(components ?? {}).map(([name, component]) => [name, tidy(component)]));

const toFault = ({ path, message }: z.core.$ZodIssue, { fileOf }: Deploy): ConfigFault => {
  const names = path.map(String);
  return { file: fileOf(names), path: names.join('.'), message };
};

const demoFault = (deploy: Deploy, { host, publicUrl }: Config['installation']): ConfigFault => ({
  file: deploy.fileOf(['globals', 'settings', 'application', 'demo']),
  path: 'application.demo',
  message:
    'this application holds example accounts with public passwords: it runs only outside production and on a loopback ' +
    `address (HOST is ${host}, PUBLIC_URL ${publicUrl}). Deploy an application of your own (--app or PORTICO_APP), or set PORTICO_ALLOW_DEMO=1.`,
});

/** The folder of deploy.json, or `applications/<namespace>` below it where that exists. */
async function applicationFolder(folder: string, namespace: string): Promise<string> {
  const inside = join(folder, 'applications', namespace);
  const found = await stat(inside).catch(() => undefined);
  return found?.isDirectory() === true ? inside : folder;
}
