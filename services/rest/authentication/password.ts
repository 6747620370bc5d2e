import { isUtf8 } from 'node:buffer';
import { toIdentity, type Accounts } from '#accounts/account.ts';
import { qualify } from '#accounts/identity.ts';
import { refusedBy, unauthenticated, type Authenticator, type Credentials } from './authenticator.ts';

/** Of a name without `@` and without a type of its own. */
const defaultType = 'system';
const challenge = 'Basic realm="Portico", charset="UTF-8"';

interface NameAndPassword {
  readonly identity: string;
  readonly password: string;
}

/** Basic (RFC 7617): the first `:` divides; old clients encode the name as in a URL. */
function fromBasic(header: string): NameAndPassword | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  return { identity: qualify(decode(text.slice(0, colon)), defaultType), password: text.slice(colon + 1) };
}

/** `auth-user`, `auth-pwd`, and `auth-user-type` unless the name holds the type. */
function fromHeaders(request: Credentials, name: string): NameAndPassword {
  const type = request.get('auth-user-type');
  const user = decode(asUtf8(name));
  const identity = type === '' || user.endsWith(`@${type}`) ? qualify(user, defaultType) : `${user}@${type}`;
  return { identity, password: asUtf8(request.get('auth-pwd')) };
}

/** Header bytes reach us one by one; clients mean UTF-8. */
function asUtf8(text: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

function decode(name: string): string {
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a name with a plain % in it
  }
}

export const passwordOf = (request: Credentials): NameAndPassword | undefined => {
  const name = request.get('auth-user');
  const found = name === '' ? fromBasic(request.get('authorization')) : fromHeaders(request, name);
  return found && found.password !== '' ? found : undefined;
};

/** Default mode: an account's password, by Basic or in headers; the headers win. A token does not count here. */
export const createPasswordAuthenticator =
  (accounts: Pick<Accounts, 'verify'>): Authenticator =>
  async (request) => {
    const given = passwordOf(request);
    if (!given) return { refused: unauthenticated(challenge) };
    const verdict = await accounts.verify(given.identity, given.password, request.ip);
    return 'account' in verdict ? { user: toIdentity(verdict.account) } : { refused: refusedBy(verdict, challenge) };
  };
