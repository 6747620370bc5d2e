import type { Settings } from '#config/settings.ts';
import type { Repository } from '#data/repository.ts';
import type { Classes } from '#meta/class.ts';
import type { FileStore } from '#stores/file-store.ts';
import type { StateStore } from '#stores/state-store.ts';

/** What crud is built from. Rights are checked whatever repository deploy.json names as `dataRepo`. */
export interface CrudOptions {
  /** Used only with `"access": "unchecked"`. */
  readonly dataRepo: Repository;
  readonly securedDataRepo: Repository;
  readonly metaRepo: Classes;
  readonly files: Pick<FileStore, 'open'>;
  readonly state: Pick<StateStore, 'get' | 'put' | 'putIfAbsent' | 'remove'>;
  /** Of the installation. */
  readonly digestKey: Buffer;
  readonly settings: Settings;
  /** `unchecked` takes the check of rights off: for trusted, isolated installations. */
  readonly access?: unknown;
}

/** The repository that the option `access` asks for; any other word than `unchecked` means checked. */
export const repositoryFor = ({
  access,
  dataRepo,
  securedDataRepo,
}: Pick<CrudOptions, 'access' | 'dataRepo' | 'securedDataRepo'>): Repository =>
  access === 'unchecked' ? dataRepo : securedDataRepo;
