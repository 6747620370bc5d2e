import { checkDeployment } from '#components/check-deployment.ts';
import { faultLine } from '#config/config-error.ts';
import { builtinModules } from '../components.ts';
import { readGateway } from '../registry/build.ts';
import { optionOf } from './read-arguments.ts';
import type { Command } from './command.ts';

export const check: Command = {
  usage: 'check',
  about:
    'Says everything that is wrong with a deployment, and which service asks for what; starts nothing. 1: there are faults',
  async run(args, { terminal, env }) {
    const application = optionOf(args, 'app');
    const load = { env, cwd: process.cwd(), ...(application === undefined ? {} : { application }) };
    const { faults, warnings, routes } = await checkDeployment(load, builtinModules, readGateway);
    if (terminal.json) {
      terminal.say({ faults, warnings, routes });
    } else {
      if (routes.length > 0) terminal.say(routes.map(({ modes, ...route }) => ({ ...route, mode: modes })));
      for (const warning of warnings) terminal.warn(`warning: ${warning}`);
      for (const fault of faults) terminal.warn(`fault: ${faultLine(fault)}`);
      terminal.warn(`\n${faults.length} faults, ${warnings.length} warnings`);
    }
    return faults.length > 0 ? 1 : 0;
  },
};
