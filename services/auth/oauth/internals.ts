/**
 * What of oidc-provider is bent that its configuration does not reach. The version is pinned; look here when it changes.
 * Session.get: our session is the only one. compareClientSecret: secrets are password hashes (the library awaits it).
 * redirectUriAllowed: exact, also for loopback addresses. find: tokens that end with the session ask ours.
 * registerGrantType: the library registers its own handlers through it while it is constructed; they can be wrapped there.
 */
import { Provider, type KoaContextWithOIDC } from 'oidc-provider';
import type { Clients } from './clients.ts';
import { stateOf } from './request-state.ts';

export interface Bending {
  readonly clients: Pick<Clients, 'checkSecret'>;
  readonly isSessionAlive: (uid: string) => Promise<boolean>;
}

interface Token {
  readonly expiresWithSession?: boolean;
  readonly sessionUid?: string;
}
type Find = (this: unknown, value: string, options?: object) => Promise<Token | undefined>;
interface ClientMembers {
  readonly clientId: string;
  readonly redirectUris: readonly string[];
  compareClientSecret(secret: string): Promise<boolean>;
  redirectUriAllowed(uri: string): boolean;
}

type Handler = (ctx: KoaContextWithOIDC) => Promise<void>;
type Register = (this: Provider, name: string, handler: Handler, ...more: readonly unknown[]) => void;

/** The library with some of its handlers of the token endpoint wrapped. */
export function wrapHandlers(wrap: Readonly<Record<string, (handler: Handler) => Handler>>): typeof Provider {
  class Wrapped extends Provider {}
  const { registerGrantType: register } = Provider.prototype as unknown as { registerGrantType: Register };
  const registerGrantType: Register = function registerGrantType(name, handler, ...more) {
    register.call(this, name, wrap[name]?.(handler) ?? handler, ...more);
  };
  Object.assign(Wrapped.prototype, { registerGrantType });
  return Wrapped;
}

/** The request the library is at work on. */
export const currentContext = (): KoaContextWithOIDC =>
  (Provider as unknown as { readonly ctx: KoaContextWithOIDC }).ctx;

export function bendInternals(provider: Provider, { clients, isSessionAlive }: Bending): void {
  const { Session, Client, BaseToken, AccessToken, RefreshToken, AuthorizationCode } = provider;

  Object.assign(Session, {
    async get(ctx: KoaContextWithOIDC) {
      const { signedIn } = stateOf(ctx);
      const payload = signedIn && { uid: signedIn.uid, accountId: signedIn.account, loginTs: signedIn.at };
      const session = new (Session as unknown as new (payload: object) => InstanceType<typeof Session>)(payload ?? {});
      session.save = async () => '';
      session.persist = async () => '';
      ctx.oidc.entity('Session', session);
      return session;
    },
  });

  Object.assign(Client.prototype as unknown as ClientMembers, {
    compareClientSecret(this: ClientMembers, secret: string) {
      return clients.checkSecret(this.clientId, secret, currentContext().ip);
    },
    redirectUriAllowed(this: ClientMembers, uri: string) {
      return this.redirectUris.includes(uri);
    },
  } satisfies Partial<ClientMembers>);

  const findAny = (BaseToken as unknown as { find: Find }).find;
  for (const Model of [AccessToken, RefreshToken, AuthorizationCode]) {
    const find: Find = async function find(value, options) {
      const token = await findAny.call(this, value, options);
      if (token?.expiresWithSession !== true) return token;
      return token.sessionUid !== undefined && (await isSessionAlive(token.sessionUid)) ? token : undefined;
    };
    Object.assign(Model, { find });
  }
}
