import { randomBytes } from 'node:crypto';
import type { Account } from '#accounts/account.ts';
import { qualify } from '#accounts/identity.ts';
import { oauthProperty, readOauthClient } from '#accounts/oauth-client.ts';
import { AppError } from '#errors.ts';
import type { Rooms } from '../rooms.ts';
import type { Command } from './command.ts';
import { given, isGiven, listOf, optionOf, textOf } from './read-arguments.ts';

const toClient = (name: string): string => qualify(name, 'system');

/** base64url: the characters that every OAuth library sends unchanged in Basic credentials (RFC 6749 section 2.3.1). */
const newSecret = (): string => randomBytes(32).toString('base64url');

const invalid = (publicText: string) => new AppError('invalid', 'not a client', { publicText });

async function findClient({ accounts }: Pick<Rooms, 'accounts'>, name: string): Promise<Account> {
  const identity = toClient(name);
  const account = await accounts.find(identity);
  if (account && readOauthClient(account, '') !== undefined) return account;
  throw new AppError('not_found', 'no client', { publicText: `There is no client ${identity}` });
}

export const clientCreate: Command = {
  usage: 'client create <client>',
  about: 'Registers an OAuth client and shows its secret, once. A bare name means <name>@system',
  options: {
    '--name <name>': 'shown to people on the consent page',
    '--redirect-uri <uri...>': 'where people return to, compared to the letter',
    '--grant <grant...>': 'authorization_code, refresh_token, client_credentials (default: the first two)',
    '--role <role...>': 'rights of its own account, for client_credentials',
    '--legacy': 'an older client without PKCE',
  },
  async run(args, { open, terminal }) {
    const identity = toClient(textOf(args, 'client'));
    const grants = listOf(args, 'grant');
    const oauth = {
      redirectUris: listOf(args, 'redirectUri'),
      ...(grants.length > 0 ? { grants } : {}),
      legacy: isGiven(args, 'legacy'),
    };
    const read = oauthProperty.safeParse(oauth);
    if (!read.success)
      throw invalid(read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
    const properties = { oauth };
    const client = readOauthClient({ identity, type: 'system', name: identity, properties }, '');
    if (client && 'faults' in client) throw invalid(client.faults.join('\n'));
    const password = newSecret();
    const { accounts } = await open();
    const roles = listOf(args, 'role');
    await accounts.create({ identity, password, roles, properties, ...given('name', optionOf(args, 'name')) });
    terminal.say({ client: identity, secret: password });
    terminal.warn('Keep the secret now: only its hash is stored.');
    return 0;
  },
};

export const clientList: Command = {
  usage: 'client list',
  about: 'Lists the OAuth clients; a service account without a registration is one too',
  async run(_args, { open, terminal }) {
    const { accounts, config } = await open();
    const fallback = config.settings('oauth.defaultRedirectUri') || `${config.installation.publicUrl}/oauth2/code`;
    const rows = (await accounts.list()).flatMap((account): readonly object[] => {
      const read = readOauthClient(account, fallback);
      if (!read) return [];
      const { identity: client, name, disabled } = account;
      if ('faults' in read) return [{ client, name, disabled, faults: read.faults }];
      const { redirectUris, grants, legacy } = read.client;
      return [{ client, name, disabled, redirectUris, grants, legacy }];
    });
    terminal.say(rows);
    return 0;
  },
};

export const clientRotate: Command = {
  usage: 'client rotate <client>',
  about: 'Makes a new secret and shows it, once; the old one is worth nothing from now on',
  options: { '--yes': 'do not ask' },
  async run(args, { open, terminal }) {
    const rooms = await open();
    const { identity } = await findClient(rooms, textOf(args, 'client'));
    if (!isGiven(args, 'yes') && !(await terminal.confirm(`Replace the secret of ${identity}?`))) return 2;
    const password = newSecret();
    await rooms.accounts.change(identity, { password });
    terminal.say({ client: identity, secret: password });
    terminal.warn('Keep the secret now: only its hash is stored.');
    return 0;
  },
};

export const clientRevoke: Command = {
  usage: 'client revoke <client>',
  about: 'Disables a client: its secret and every token it was given count no more (`user enable` takes it back)',
  options: { '--yes': 'do not ask' },
  async run(args, { open, terminal }) {
    const rooms = await open();
    const { identity } = await findClient(rooms, textOf(args, 'client'));
    if (!isGiven(args, 'yes') && !(await terminal.confirm(`Disable ${identity} and all it was given?`))) return 2;
    await rooms.accounts.change(identity, { disabled: true });
    terminal.say({ disabled: identity, serviceTokens: await rooms.tokens.revokeAll(identity) });
    return 0;
  },
};

export const clientCommands: readonly Command[] = [clientCreate, clientList, clientRotate, clientRevoke];
