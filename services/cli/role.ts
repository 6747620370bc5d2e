import { AppError } from '#errors.ts';
import type { Command, CommandContext } from './command.ts';
import { listOf, optionOf, textOf } from './read-arguments.ts';
import { toUser } from './user.ts';

const known = new Set(['read', 'write', 'delete', 'use', 'full']);

/** `c:::record@demo=read,write` → resource and permissions. */
function readPermission(text: string): readonly [string, readonly string[]] {
  const equals = text.lastIndexOf('=');
  const permissions = text.slice(equals + 1).split(',');
  if (equals > 0 && permissions.every((one) => known.has(one))) return [text.slice(0, equals), permissions];
  const publicText = `${text} is not <resource>=<permission>,…; permissions are ${[...known].join(', ')}`;
  throw new AppError('invalid', 'not a permission', { publicText });
}

export const roleList: Command = {
  usage: 'role list',
  about: 'Lists all roles with what they permit',
  async run(_args, { open, terminal }) {
    const { roles } = await open();
    terminal.say(
      (await roles.list()).map(({ id, name, permissions, source }) => ({
        role: id,
        name,
        permissions: Object.entries(permissions).map(([resource, words]) => `${resource}=${words.join(',')}`),
        source: source ?? 'by hand',
      })),
    );
    return 0;
  },
};

export const rolePut: Command = {
  usage: 'role put <role> [permissions...]',
  about:
    'Makes a role or replaces all it permits. A permission is <resource>=<word>,… such as c:::record@demo=read,write',
  options: { '--name <name>': 'for people to read' },
  async run(args, { open, terminal }) {
    const id = textOf(args, 'role');
    const permissions = Object.fromEntries(listOf(args, 'permissions').map(readPermission));
    const { roles } = await open();
    const held = (await roles.list()).find((role) => role.id === id);
    await roles.put({ id, name: optionOf(args, 'name') ?? held?.name ?? id, permissions });
    terminal.say({ stored: id, permissions: Object.keys(permissions).length });
    return 0;
  },
};

export const roleRemove: Command = {
  usage: 'role remove <role>',
  about: 'Removes a role; who had it has nothing of it any more',
  options: { '--yes': 'do not ask' },
  async run(args, { open, terminal }) {
    const id = textOf(args, 'role');
    if (args['yes'] !== true && !(await terminal.confirm(`Remove the role ${id}?`))) return 2;
    const { roles } = await open();
    if (!(await roles.remove(id))) throw new AppError('not_found', 'no role', { publicText: `There is no role ${id}` });
    terminal.say({ removed: id });
    return 0;
  },
};

/** `grant` and `take`: the account's roles with one more or one less. */
async function changeRoles(
  args: Parameters<Command['run']>[0],
  { open, terminal }: CommandContext,
  change: (held: readonly string[], role: string) => readonly string[],
): Promise<number> {
  const [role, identity] = [textOf(args, 'role'), toUser(textOf(args, 'user'))];
  const { accounts, roles } = await open();
  const account = await accounts.find(identity);
  if (!account) throw new AppError('not_found', 'no account', { publicText: `There is no account ${identity}` });
  if (!(await roles.list()).some(({ id }) => id === role)) terminal.warn(`There is no role ${role} yet`);
  const changed = await accounts.change(identity, { roles: change(account.roles, role) });
  terminal.say({ account: changed.identity, roles: changed.roles });
  return 0;
}

export const roleGrant: Command = {
  usage: 'role grant <role> <user>',
  about: 'Gives a role to an account; it counts within a second in every process',
  run: (args, context) => changeRoles(args, context, (held, role) => [...new Set([...held, role])]),
};

export const roleTake: Command = {
  usage: 'role take <role> <user>',
  about: 'Takes a role from an account',
  run: (args, context) => changeRoles(args, context, (held, role) => held.filter((one) => one !== role)),
};

export const roleCommands: readonly Command[] = [roleList, rolePut, roleRemove, roleGrant, roleTake];
