import type { Class, Classes } from '#meta/class.ts';
import type { Log } from '#log.ts';
import type { FileStore } from '#stores/file-store.ts';
import type { ObjectStore } from '#stores/object-store.ts';
import type { Hooks } from './hooks.ts';
import type { ClassPlan } from './plan.ts';
import type { ClassNeeds } from './want.ts';

/** What the steps of a write are made of. */
export interface WriterDeps {
  readonly objects: ObjectStore;
  readonly files: Pick<FileStore, 'put'>;
  readonly classes: Classes;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly log: Log;
  readonly plans: (itsClass: Class) => ClassPlan;
  readonly needs: (itsClass: Class) => ClassNeeds;
  readonly hooks: Hooks;
  readonly limits: WriteLimits;
  readonly clock: () => Date;
}

export interface WriteLimits {
  /** Bytes of one file. */
  readonly file: number;
  /** Nested objects of one write, whatever their level. */
  readonly nested: number;
}
