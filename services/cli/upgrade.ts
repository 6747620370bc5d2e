import { upgradeStore } from '#transfer/store-version.ts';
import type { Command } from './command.ts';
import { openBareStores } from './open-ground.ts';
import { isGiven } from './read-arguments.ts';

export const upgrade: Command = {
  usage: 'upgrade',
  about: 'Brings stores that an older Portico wrote to this version. Stop all processes and make a backup first',
  options: { '--dry-run': 'say which steps there are; change nothing' },
  async run(args, context) {
    const { stores } = await openBareStores(context);
    try {
      const dryRun = isGiven(args, 'dryRun');
      const { from, to, steps } = await upgradeStore(stores.objects, { dryRun });
      context.terminal.say({ from, to, [dryRun ? 'wouldRun' : 'ran']: steps });
      return 0;
    } finally {
      await stores.close();
    }
  },
};
