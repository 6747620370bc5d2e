import type Koa from 'koa';
import type { Identity } from '#accounts/identity.ts';
import type { HttpState } from '#http/state.ts';
import type { ServiceRouter } from './service-router.ts';

/** What the way of a call finds out about it. */
export interface RestState extends HttpState {
  call: {
    readonly name: string;
    readonly router: ServiceRouter;
    /** Below the service, `/` at its root. */
    readonly path: string;
    /** Null until the caller is known, and in mode `none`. */
    user: Identity | null;
  };
}

export type RestMiddleware = Koa.Middleware<RestState>;
