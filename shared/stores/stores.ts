import type { Bus } from './bus.ts';
import type { FileStore } from './file-store.ts';
import type { ObjectStore } from './object-store.ts';
import type { StateStore } from './state-store.ts';

/** All stores of one installation, opened together. Closing them lets writes that were accepted end first. */
export interface Stores {
  /** For the line at start, such as `SQLite`. */
  readonly kind: string;
  readonly objects: ObjectStore;
  readonly state: StateStore;
  readonly files: FileStore;
  readonly bus: Bus;
  close(): Promise<void>;
}
