export type Reference =
  | { readonly kind: 'component'; readonly name: string; readonly lazy: boolean }
  | { readonly kind: 'file'; readonly path: string };

const form = /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?<rest>.+)$/s;
const componentName = /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u;

/** Schemes of addresses, whose values are plain strings. Every other scheme is the deployment's own word for a component. */
const addresses = new Set([
  'http', 'https', 'ws', 'wss', 'ftp', 'sftp', 'mongodb', 'mongodb+srv', 'redis', 'rediss', 'postgres', 'postgresql', 'mysql',
  'amqp', 'amqps', 'ldap', 'ldaps', 'smtp', 'smtps',
]); // prettier-ignore

/** What an option's text refers to; undefined for plain text, which includes addresses. */
export function parseReference(text: string): Reference | undefined {
  const { scheme = '', rest = '' } = form.exec(text)?.groups ?? {};
  if (scheme === 'file') return { kind: 'file', path: rest };
  if (scheme === '' || addresses.has(scheme) || !componentName.test(rest)) return undefined;
  return { kind: 'component', name: rest, lazy: scheme === 'lazy' };
}
