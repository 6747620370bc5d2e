import type { Classes } from '#meta/class.ts';
import type { Bus } from '#stores/bus.ts';
import type { FileStore } from '#stores/file-store.ts';
import type { ObjectStore } from '#stores/object-store.ts';
import type { FaultSink } from './faults.ts';
import type { SelectionOptions } from './selection.ts';
import type { ImportMode } from './store-batch.ts';

export interface ImportOptions extends SelectionOptions {
  readonly mode: ImportMode;
  readonly dryRun: boolean;
  /** Accounts and roles that the file has; never with chosen classes. */
  readonly accounts: boolean;
  /** Forget how far an earlier import of the file came. */
  readonly restart: boolean;
}

export interface ImportDeps {
  readonly objects: Pick<ObjectStore, 'get' | 'write' | 'raise'>;
  readonly files: Pick<FileStore, 'put' | 'open'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly classes: Pick<Classes, 'all' | 'get' | 'namespace'>;
  readonly faults: FaultSink;
  /** Is told how many bytes were read. */
  readonly progress?: (bytes: number) => void;
  /** Ends the import after what is under way; it can be gone on with. */
  readonly signal?: AbortSignal;
}
