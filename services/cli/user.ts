import { qualify } from '#accounts/identity.ts';
import { AppError } from '#errors.ts';
import type { Command, CommandContext } from './command.ts';
import { given, isGiven, listOf, optionOf, textOf } from './read-arguments.ts';

const shortest = 8; // characters

/** A name without `@` means a person of this installation. */
export const toUser = (name: string): string => qualify(name, 'local');

async function askPassword({ terminal }: CommandContext): Promise<string> {
  const password = await terminal.secret('New password');
  if (password.length >= shortest) return password;
  throw new AppError('invalid', 'short password', { publicText: `A password has at least ${shortest} characters` });
}

export const userAdd: Command = {
  usage: 'user add <user>',
  about: 'Makes an account. The password is asked for, or read from standard input. A bare name means <name>@local',
  options: {
    '--name <name>': 'for people to read',
    '--role <role...>': 'roles it has',
    '--no-password': 'nobody can sign in to it until a password is set',
    '--reset': 'the sign-in page asks for a new password',
  },
  async run(args, context) {
    const identity = toUser(textOf(args, 'user'));
    const password = args['password'] === false ? undefined : await askPassword(context);
    const { accounts } = await context.open();
    const account = await accounts.create({
      identity,
      roles: listOf(args, 'role'),
      needPasswordReset: isGiven(args, 'reset'),
      ...given('name', optionOf(args, 'name')),
      ...given('password', password),
    });
    context.terminal.say({ created: account.identity, roles: account.roles });
    return 0;
  },
};

export const userPasswd: Command = {
  usage: 'user passwd <user>',
  about: 'Sets a new password; browser sessions of the account end. It is asked for, or read from standard input',
  options: { '--reset': 'the sign-in page asks for another one' },
  async run(args, context) {
    const password = await askPassword(context);
    const { accounts } = await context.open();
    const needPasswordReset = isGiven(args, 'reset');
    const { identity } = await accounts.change(toUser(textOf(args, 'user')), { password, needPasswordReset });
    context.terminal.say({ changed: identity });
    return 0;
  },
};

const switchTo =
  (disabled: boolean): Command['run'] =>
  async (args, { open, terminal }) => {
    const { accounts } = await open();
    const { identity } = await accounts.change(toUser(textOf(args, 'user')), { disabled });
    terminal.say(disabled ? { disabled: identity } : { enabled: identity });
    return 0;
  };

export const userDisable: Command = {
  usage: 'user disable <user>',
  about: 'Lets nobody in with it: password, sessions and tokens count no more, in every process',
  run: switchTo(true),
};

export const userEnable: Command = {
  usage: 'user enable <user>',
  about: 'Takes a disabling back',
  run: switchTo(false),
};

export const userList: Command = {
  usage: 'user list',
  about: 'Lists all accounts',
  async run(_args, { open, terminal }) {
    const { accounts } = await open();
    const list = await accounts.list();
    terminal.say(list.map(({ identity, name, roles, disabled }) => ({ account: identity, name, roles, disabled })));
    return 0;
  },
};

export const userCommands: readonly Command[] = [userAdd, userPasswd, userDisable, userEnable, userList];
