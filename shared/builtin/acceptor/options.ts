import type { Settings } from '#config/settings.ts';
import type { Repository } from '#data/repository.ts';
import type { Classes } from '#meta/class.ts';

/**
 * What the acceptor is built from; every further option may be a converter, by its name. Rights are checked whatever
 * repository deploy.json names as `dataRepo`.
 */
export interface AcceptorOptions extends Readonly<Record<string, unknown>> {
  /** Used only with `"access": "unchecked"`. */
  readonly dataRepo: Repository;
  readonly securedDataRepo: Repository;
  readonly metaRepo: Classes;
  readonly settings: Settings;
  readonly access?: unknown;
}

/** Between a sender's own format and the acceptor's. Each part may be absent. */
export interface Converter {
  /** What was sent → a list of objects with `_class`, or a promise of it. */
  parse?(data: unknown): unknown;
  /** The stored objects → what is answered, or a promise of it. */
  respond?(objects: readonly unknown[]): unknown;
}
