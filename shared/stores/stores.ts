import type { Bus } from './bus.ts';
import type { FileStore } from './file-store.ts';
import type { ObjectStore } from './object-store.ts';
import type { StateStore } from './state-store.ts';

/** What a copy of the stores holds. */
export interface BackedUp {
  /** Objects, accounts, roles and all else that is kept. */
  readonly documents: number;
  readonly files: number;
  /** Of the files. */
  readonly bytes: number;
  /** Hashes of files whose content is not what it was: copied as they are. */
  readonly damaged: readonly string[];
}

/** All stores of one installation, opened together. Closing them lets writes that were accepted end first. */
export interface Stores {
  /** For the line at start, such as `SQLite`. */
  readonly kind: string;
  readonly objects: ObjectStore;
  readonly state: StateStore;
  readonly files: FileStore;
  readonly bus: Bus;
  /** Copies everything to a folder, checked, while others write; absent: the stores' own tools do that. */
  backUp?(folder: string): Promise<BackedUp>;
  close(): Promise<void>;
}
