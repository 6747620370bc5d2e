import { isDeepStrictEqual } from 'node:util';
import { rolesTopic } from '#access/roles.ts';
import { accountsTopic } from '#accounts/accounts.ts';
import type { Bus } from '#stores/bus.ts';
import type { Doc, ObjectStore, Stored, Write, Written } from '#stores/object-store.ts';
import type { AttributeNames } from './attributes.ts';
import type { Item } from './check-item.ts';
import type { ImportCounts } from './cursor.ts';
import type { TransferFault } from './faults.ts';
import { revisionsOf, toLedger } from './system-collections.ts';

/** What happens to an object that is there with other content: it stays, it is replaced, or that is a fault. */
export const modes = ['fail', 'skip', 'replace'] as const;
export type ImportMode = (typeof modes)[number];

export interface BatchDeps {
  readonly objects: Pick<ObjectStore, 'get' | 'write'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly names: Pick<AttributeNames, 'passwords'>;
  readonly mode: ImportMode;
  readonly dryRun: boolean;
  readonly counts: ImportCounts;
  readonly fault: (item: Item, code: TransferFault['code'], message: string) => void;
}

interface Planned {
  readonly item: Item;
  readonly write: Write;
}

/** Brings items into the store, each for itself; no two of them are the same object. Doing it again changes nothing. */
export async function storeBatch(items: readonly Item[], deps: BatchDeps): Promise<void> {
  const isMemory = ({ kind }: Item) => kind === 'seed' || kind === 'access';
  const plan = (await Promise.all(Array.from(Map.groupBy(items.filter((one) => !isMemory(one)), collectionOf).values(), (group) => planGroup(group, deps)))).flat(); // prettier-ignore
  await carryOut(plan, deps);
  await remember(items.filter(isMemory), deps);
}

const collectionOf = ({ collection }: Item): string => collection;

async function planGroup(group: readonly Item[], deps: BatchDeps): Promise<readonly Planned[]> {
  const found = await deps.objects.get(
    group[0]!.collection,
    group.map(({ id }) => id),
  );
  return group.flatMap((item, place) => {
    const write = decide(item, found[place], deps);
    return write ? [{ item, write }] : [];
  });
}

function decide(item: Item, stored: Stored | undefined, { names, mode, counts, fault }: BatchDeps): Write | undefined {
  const { collection, id, revision } = item;
  const doc = withPasswords(item, stored?.doc, names);
  if (!stored) return { op: 'insert', collection, id, doc, ...(revision === undefined ? {} : { revision }) };
  if (isDeepStrictEqual(stored.doc, doc)) counts.same += 1;
  else if (mode === 'replace') return { op: 'upsert', collection, id, doc };
  else if (mode === 'skip') counts.skipped += 1;
  else fault(item, 'exists', 'is there with other content');
  return undefined;
}

/** What was exported without password hashes leaves those that are here. */
function withPasswords({ kind, itsClass, doc }: Item, stored: Doc | undefined, names: BatchDeps['names']): Doc {
  const secret = kind === 'account' ? ['passwordHash'] : itsClass ? names.passwords(itsClass) : [];
  const kept = secret.filter((name) => doc[name] === undefined && stored?.[name] !== undefined);
  if (kept.length > 0) return { ...doc, ...Object.fromEntries(kept.map((name) => [name, stored![name]!])) };
  return kind === 'account' && doc['passwordHash'] === undefined ? { ...doc, passwordHash: '' } : doc;
}

async function carryOut(plan: readonly Planned[], deps: BatchDeps): Promise<void> {
  const { objects, counts, dryRun } = deps;
  if (plan.length === 0) return;
  const writes = plan.map(({ write }) => write);
  const written = dryRun ? undefined : await objects.write(writes, { atomic: false });
  for (const [place, { item, write }] of plan.entries()) {
    if (written && !judge(item, written[place]!, deps)) continue;
    counts[write.op === 'insert' ? 'created' : 'replaced'] += 1;
    if (item.kind === 'account') counts.accounts += 1;
    if (item.kind === 'role') counts.roles += 1;
    if (written) await announce(item, deps);
  }
}

function judge(item: Item, written: Written, { fault }: BatchDeps): boolean {
  if (!('clash' in written)) return true;
  if (written.clash === 'unique') {
    fault(item, 'unique', `another object has the same value: index ${written.index}`);
  } else fault(item, 'exists', 'was made meanwhile by somebody else');
  return false;
}

/** All processes forget what they knew of it. */
async function announce({ kind, id }: Item, { bus }: BatchDeps): Promise<void> {
  if (kind === 'account') await bus.publish(accountsTopic, id);
  if (kind === 'role') await bus.publish(rolesTopic, id);
}

/** What is known of seeds and access files here is kept, unless all is replaced. */
async function remember(items: readonly Item[], { objects, mode, dryRun }: BatchDeps): Promise<void> {
  if (items.length === 0 || dryRun) return;
  const seeds = items.filter(({ kind }) => kind === 'seed');
  const revisions = await revisionsOf(seeds, objects);
  const writes = items.map(({ kind, collection, id, doc }): Write => {
    const made = kind === 'seed' ? toLedger({ doc }, revisions.get(id)) : doc;
    return { op: mode === 'replace' ? 'upsert' : 'insert', collection, id, doc: made };
  });
  await objects.write(writes, { atomic: false });
}
