import type { Command, CommandContext } from './command.ts';
import type { Role } from '../role.ts';
import { administratorHint, makeFirstAdministrator } from '../first-administrator.ts';
import { serve } from '../serve.ts';
import { surviveApplicationFaults } from '../rest/current-request.ts';

const demoAccounts: readonly (readonly [string, string])[] = [
  ['demo@local', 'administrator'],
  ['editor@local', 'reads and writes the example classes'],
  ['user@local', 'may sign in, has no rights'],
  ['ext@system', 'service account and OAuth client'],
];

/** Serves the roles until the process is told to stop. Prints the address, the stores and, for the demo, its accounts. */
export async function serveUntilStopped(chosen: readonly Role[], { terminal, open }: CommandContext): Promise<number> {
  const begin = performance.now();
  const stopped = signalled();
  const rooms = await open();
  const { config, stores, log } = rooms;
  const { application, installation } = config;
  const first = { ...installation.administrator, application };
  const administrated = await makeFirstAdministrator(first, { ...rooms, objects: stores.objects });
  if (!administrated && chosen.includes('auth')) log.warn(administratorHint);
  const forget = surviveApplicationFaults(log);
  const serving = await serve(rooms, chosen);
  const url = config.installation.publicUrl;
  const demo = config.settings('application.demo');
  if (terminal.json) {
    terminal.say({ url, port: serving.port, roles: chosen, stores: stores.kind, namespace: config.namespace });
  } else {
    const own = `http://${config.installation.host}:${serving.port}`;
    const where = own === url ? url : `${url}, listening on ${own}`;
    terminal.say(`Portico serves ${config.namespace} (${chosen.join(', ')}) at ${where}`);
    terminal.say(
      `Stores: ${stores.kind}${config.installation.stores === 'sqlite' ? ` in ${config.installation.dataFolder}` : ''}`,
    );
    if (demo) terminal.say(demoText());
    terminal.say(`Ready after ${Math.round(performance.now() - begin)} ms. Ctrl C stops.`);
  }
  await stopped;
  await serving.stop();
  forget();
  return 0;
}

const demoText = (): string =>
  [
    'Demo accounts, all with the password portico-demo (for this machine only):',
    ...demoAccounts.map(([name, about]) => `  ${name.padEnd(14)}${about}`),
  ].join('\n');

/** Resolves at the first SIGTERM or SIGINT; a second SIGINT ends the process at once. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}

export const start: Command = {
  usage: 'start',
  about: 'Serves everything in one process',
  run: (_args, context) => serveUntilStopped(['rest', 'auth', 'registry'], context),
};
