import type { KoaContextWithOIDC } from 'oidc-provider';
import type { AuthContext, AuthState } from '../state.ts';

/** What the steps before the library tell the steps inside it. */
export interface OauthState extends AuthState {
  /** The person's answer, when this request carries it. */
  answer: 'allow' | 'deny' | undefined;
  /** The request named its redirect URI. */
  redirectUriAsked: boolean;
  /** Signed in after this request was first made, seconds since 1970: no need to ask again. */
  askedAt: number | undefined;
  /** An error of ours that the library turned into `server_error`. */
  failure: unknown;
}

/** The library's context is ours; its type does not know our state. */
export const stateOf = (ctx: KoaContextWithOIDC | AuthContext): OauthState => ctx.state as OauthState;
