import type { Readable } from 'node:stream';
import type { Identity } from '#accounts/identity.ts';
import type { AppError, Fault } from '#errors.ts';
import type { Class } from '#meta/class.ts';
import type { Doc, Value } from '#stores/object-store.ts';
import type { Change, Values } from './repository.ts';
import type { Sight } from './sight.ts';

/** A file as a request carries it: what is given for an attribute may be one of these. */
export interface Upload {
  readonly name: string;
  readonly mime: string;
  readonly size: number;
  stream(): Readable;
}

/** A file that came in, not stored yet. */
export interface IncomingFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly open: () => Readable;
}

/** A reference or a member of a collection, as sent or as the object nested there. */
export type Member = { readonly sent: unknown } | { readonly nested: Draft };

/** An object as it stands before a draft: from the store, or left by an earlier draft of the batch. */
export interface Current {
  readonly itsClass: Class;
  readonly doc: Doc;
  readonly revision: number;
}

/** An object to be written, on its way through the steps, which fill it in. One batch owns it. */
export interface Draft {
  /** Place in the batch of the input it belongs to; nested objects share it. */
  readonly input: number;
  /** Before the names in its faults: `''`, or where it stood, such as `section.`. */
  readonly prefix: string;
  readonly op: Change['op'];
  readonly asked: Class;
  values: Values;
  readonly expect: number | undefined;
  /** Key as told from outside. */
  readonly told: string | undefined;
  /** Nested in another one: upserted, and left alone when nothing changes. */
  readonly nested: boolean;
  /** The attribute that refers back to the object this one is nested in; null unlinks. */
  readonly backLink: { readonly property: string; readonly to: Draft | null } | undefined;
  /** Objects nested in its references and collections, in the places of their values; other places hold what was sent. */
  links: ReadonlyMap<string, readonly Member[]>;

  /** Key it will have; undefined until it is known. */
  id: string | undefined;
  /** Its key until now, where it gets another one. */
  renamedFrom: string | undefined;
  /** Undefined: it is new. */
  current: Current | undefined;
  itsClass: Class;
  /** As it will be. */
  doc: Record<string, Value>;
  /** What a new object gets without asking, as stored: key parts, counters, defaults. */
  readonly assigned: Map<string, Value>;
  /** Attributes that the values name. */
  readonly touched: Set<string>;
  /** Attributes that read-only does not hold back: set by hooks, or by trusted code that says so. */
  unlocked: ReadonlySet<string>;
  /** Ids it was given by reference, whose objects must exist. */
  references: readonly { readonly name: string; readonly target: Class; readonly ids: readonly string[] }[];
  files: ReadonlyMap<string, readonly (IncomingFile | Value)[]>;
  passwords: ReadonlySet<string>;
  /** As stored. */
  revision: number;
  /** Nested, and as it was: nothing to store. */
  unchanged: boolean;
  readonly faults: Fault[];
  refused: AppError | undefined;
}

/** What the steps work on: all drafts, those that others need first. */
export interface Batch {
  drafts: readonly Draft[];
  readonly as: Identity | undefined;
  readonly sight: Sight;
  readonly now: Date;
  readonly rules: Rules;
  readonly isAtomic: boolean;
  readonly dryRun: boolean;
  /** Names that were left out, for the log. */
  readonly unknown: Set<string>;
}

export interface Rules {
  /** Trusted files: what breaks a rule is a warning. */
  readonly seeds: boolean;
  /** Names that are no attribute: left out and logged, or faults. */
  readonly unknown: 'ignore' | 'reject';
}

interface Start {
  readonly input: number;
  readonly op: Change['op'];
  readonly asked: Class;
  readonly values: Values;
  readonly told?: string | undefined;
  readonly expect?: number | undefined;
  readonly prefix?: string;
  readonly backLink?: Draft['backLink'];
  readonly unlocked?: readonly string[] | undefined;
}

// most drafts have none of these, and a batch holds many drafts: they share the empty ones
const noneByName: ReadonlyMap<string, never> = new Map<string, never>();
const noNames: ReadonlySet<string> = new Set();
const noReferences: Draft['references'] = [];

export const createDraft = ({ input, op, asked, values, told, expect, prefix, backLink, unlocked }: Start): Draft => ({
  input,
  prefix: prefix ?? '',
  op,
  asked,
  values,
  expect,
  told,
  nested: prefix !== undefined,
  backLink,
  links: noneByName,
  id: undefined,
  renamedFrom: undefined,
  current: undefined,
  itsClass: asked,
  doc: {},
  assigned: new Map(),
  touched: new Set(),
  unlocked: unlocked ? new Set(unlocked) : noNames,
  references: noReferences,
  files: noneByName,
  passwords: noNames,
  revision: 0,
  unchanged: false,
  faults: [],
  refused: undefined,
});

/** @param name undefined: the object as a whole */
export function addFault(draft: Draft, name: string | undefined, code: string, message: string): void {
  const property = name === undefined ? draft.prefix.slice(0, -1) : draft.prefix + name;
  draft.faults.push({ index: draft.input, ...(property === '' ? {} : { property }), code, message });
}

export const hasFault = (draft: Draft, name: string): boolean =>
  draft.faults.some((fault) => fault.property === draft.prefix + name);
