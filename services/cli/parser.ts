import { Command as Commander, CommanderError } from 'commander';
import type { Command, CommandContext } from './command.ts';
import type { Terminal } from './command.ts';

export interface ParserDeps {
  readonly commands: readonly Command[];
  readonly version: string;
  readonly terminal: (json: boolean) => Terminal;
  readonly context: (terminal: Terminal, application: string | undefined) => CommandContext;
}

/** Finds the command, reads its words and runs it. Gives the exit code; wrong use is 2. */
export async function runCommandLine(words: readonly string[], deps: ParserDeps): Promise<number> {
  let code = 0;
  const program = new Commander('portico')
    .version(deps.version)
    .exitOverride()
    .showHelpAfterError('(--help shows how)');
  program.description('Publishes an application of classes and services over HTTP').helpCommand(false);
  for (const command of deps.commands) {
    const { parent, rest } = groupOf(program, command.usage);
    const parsed = parent.command(rest).description(command.about).exitOverride();
    for (const [flags, about] of Object.entries(command.options ?? {})) parsed.option(flags, about);
    parsed.option('--app <folder>', 'the application, or its deploy.json (default: PORTICO_APP, then the demo)');
    parsed.option('--json', 'answer as JSON');
    parsed.action(async (...given: unknown[]) => {
      const self = given.pop() as Commander;
      const options = self.opts<{ json?: boolean; app?: string }>();
      const named = Object.fromEntries(self.registeredArguments.map((one, place) => [one.name(), given[place]]));
      const terminal = deps.terminal(options.json === true);
      code = await command.run({ ...options, ...named }, deps.context(terminal, options.app));
    });
  }
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  return code;
}

const groups: Readonly<Record<string, string>> = {
  user: 'Accounts of people and services',
  role: 'Roles and what they permit',
  client: 'OAuth clients',
  token: 'Service tokens',
};

/** `token revoke <owner>` is `revoke <owner>` of the group `token`. */
function groupOf(program: Commander, usage: string): { parent: Commander; rest: string } {
  const [first, ...others] = usage.split(' ');
  const about = groups[first!];
  if (about === undefined) return { parent: program, rest: usage };
  const known = program.commands.find((one) => one.name() === first);
  const parent = known ?? program.command(first!).description(about).exitOverride().helpCommand(false);
  return { parent, rest: others.join(' ') };
}
