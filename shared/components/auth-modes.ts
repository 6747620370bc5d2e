import { serviceModule } from './module-paths.ts';

/** What `authMode` holds for a service: a word, or several of which any serves. */
export type Modes = string | readonly string[];

/** The words of `authMode`. `default` is another word for `pwd`. */
const modeWords: ReadonlySet<string> = new Set(['none', 'pwd', 'default', 'token', 'oauth']);

const acceptor = serviceModule('acceptor');

/** The modes of a service as deploy.json has them; unset, an acceptor is open to all three kinds and any other to passwords. */
export function modesOf(
  service: string,
  authMode: Readonly<Record<string, Modes>>,
  module: string | undefined,
): readonly string[] {
  const given = Object.hasOwn(authMode, service) ? authMode[service] : undefined;
  if (given !== undefined) return typeof given === 'string' ? [given] : given;
  return module === acceptor ? ['pwd', 'token', 'oauth'] : ['pwd'];
}

/** Those that are no mode; such a service refuses everybody. */
export const unknownModes = (modes: Modes): readonly string[] => [modes].flat().filter((mode) => !modeWords.has(mode));
