import type { Handler } from './request.ts';

/** Routes of one service, relative to `/rest/<name>`. */
export interface Routes {
  /** @param method any method word; `GET` also answers `HEAD` */
  /** @param path may hold `:params`; a trailing slash matches too */
  add(method: string, path: string, handler: Handler): void;
}

/** The face an error of this service wears: its text, or RFC 9457 problem+json with reasons, or the acceptor's page. */
export type ErrorFace = 'text' | 'problem' | 'page';

/** Base of a custom service: `export default class X extends Service<Options>` with its routes in `routes`. */
export abstract class Service<Options = Record<string, unknown>> {
  readonly options: Options;
  /** Overridden by services whose errors carry reasons. */
  readonly errorFace: ErrorFace = 'text';

  constructor(options: Options) {
    this.options = options;
  }

  /** Called once before the first request. */
  abstract routes(routes: Routes): void | Promise<void>;
}
