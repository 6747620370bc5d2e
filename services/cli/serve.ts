import { roles, type Role } from '../role.ts';
import type { Command } from './command.ts';
import { serveUntilStopped } from './start.ts';

const isRole = (word: unknown): word is Role => (roles as readonly unknown[]).includes(word);

export const serveRole: Command = {
  usage: 'serve <role>',
  about: 'Serves one role alone: rest, auth or registry. The roles share their stores',
  async run({ role }, context) {
    if (isRole(role)) return serveUntilStopped([role], context);
    context.terminal.warn(`There is no role ${String(role)}; the roles are ${roles.join(', ')}`);
    return 2;
  },
};
