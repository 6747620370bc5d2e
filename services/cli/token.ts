import { AppError } from '#errors.ts';
import type { Command } from './command.ts';
import { given, isGiven, optionOf, textOf } from './read-arguments.ts';
import { toUser } from './user.ts';

const time = (ms: number | undefined): string => (ms === undefined ? 'never' : new Date(ms).toISOString());

export const tokenMake: Command = {
  usage: 'token make <owner>',
  about: 'Makes a service token of an account and shows it, once',
  options: {
    '--ttl <seconds>': 'how long it lives (default: the setting rest.tokenLifetime)',
    '--name <name>': 'what it is for',
  },
  async run(args, { open, terminal }) {
    const wanted = optionOf(args, 'ttl');
    const ttl = Number(wanted);
    if (wanted !== undefined && !(Number.isSafeInteger(ttl) && ttl > 0)) {
      terminal.warn('--ttl is a whole number of seconds');
      return 2;
    }
    const { tokens, config } = await open();
    const lifetime = wanted === undefined ? config.settings('rest.tokenLifetime') : ttl;
    const { token, record } = await tokens.make(toUser(textOf(args, 'owner')), {
      ttl: lifetime,
      ...given('name', optionOf(args, 'name')),
    });
    terminal.say({ token, owner: record.owner, id: record.id, expires: time(record.expires) });
    return 0;
  },
};

export const tokenList: Command = {
  usage: 'token list <owner>',
  about: 'Lists the service tokens of an account, never the tokens themselves',
  async run(args, { open, terminal }) {
    const { tokens } = await open();
    const list = await tokens.list(toUser(textOf(args, 'owner')));
    terminal.say(
      list.map(({ id, name, created, used, expires }) => ({
        id,
        name,
        created: time(created),
        used: time(used),
        expires: time(expires),
      })),
    );
    return 0;
  },
};

export const tokenRevoke: Command = {
  usage: 'token revoke <owner> [id]',
  about: 'Ends one service token of an account, by its id, or all of them, in every process',
  options: { '--yes': 'do not ask' },
  async run(args, { open, terminal }) {
    const [owner, id] = [toUser(textOf(args, 'owner')), optionOf(args, 'id')];
    const what = id === undefined ? `all tokens of ${owner}` : `the token ${id} of ${owner}`;
    if (!isGiven(args, 'yes') && !(await terminal.confirm(`End ${what}?`))) return 2;
    const { tokens } = await open();
    if (id === undefined) {
      terminal.say({ revoked: await tokens.revokeAll(owner) });
      return 0;
    }
    if (!(await tokens.revokeById(owner, id))) {
      throw new AppError('not_found', 'no such token', { publicText: `${owner} has no token ${id}` });
    }
    terminal.say({ revoked: 1 });
    return 0;
  },
};

export const tokenCommands: readonly Command[] = [tokenMake, tokenList, tokenRevoke];
