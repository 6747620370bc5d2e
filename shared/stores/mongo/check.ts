import type { mongo } from 'mongoose';
import type { Write, Written } from '../object-store.ts';
import type { Collections } from './collections.ts';
import { toBody, type StoredDocument } from './document.ts';
import { readRules, type Rule } from './rules.ts';
import type { Clash } from './unique.ts';

/** What a batch makes of one object. */
export interface Planned {
  readonly collection: string;
  readonly id: string;
  readonly before: StoredDocument | undefined;
  readonly after: StoredDocument | undefined;
  /** Those that the object goes through, from the one after `before`. */
  readonly revisions: readonly number[];
}

export interface Checked {
  readonly answers: readonly Written[];
  /** Undefined when a write clashes; else an entry for each object, sorted as all batches are. */
  readonly planned: readonly Planned[] | undefined;
}

/** Goes through a batch as it would be written, one after the other, up to the first clash. Nothing is written. */
export async function check(
  collections: Collections,
  writes: readonly Write[],
  options: Pick<mongo.FindOptions, 'session'> = {},
): Promise<Checked> {
  const documents = writes.map(toDocument);
  const plans = new Map<string, Planned>();
  const rules = new Map<string, readonly Rule[]>();
  for (const collection of new Set(writes.map((write) => write.collection)).values()) {
    const mine = documents.filter((document, place) => document && writes[place]!.collection === collection);
    rules.set(collection, await readRules(collections, collection, mine as StoredDocument[], options));
    const ids = new Set(writes.flatMap((write) => (write.collection === collection ? [write.id] : [])));
    const stored = collections
      .objects(collection)
      .find({ _id: { $in: Array.from(ids) } }, { ...options, batchSize: 10_000 });
    for (const before of await stored.toArray()) {
      const id = before._id;
      plans.set(keyOf({ collection, id }), { collection, id, before, after: before, revisions: [] });
    }
  }
  const answers: Written[] = [];
  for (const [place, write] of writes.entries()) {
    const { collection, id } = write;
    const nothing = { collection, id, before: undefined, after: undefined, revisions: [] };
    const plan = plans.get(keyOf(write)) ?? nothing;
    const outcome = apply(write, documents[place], plan, rules.get(collection)!);
    if ('clash' in outcome) return { answers: told(writes, place, outcome), planned: undefined };
    answers.push({ id, revision: (outcome.after ?? plan.after)!.r });
    plans.set(keyOf(write), outcome);
  }
  const changed = Array.from(plans.values()).filter(({ before, after }) => before !== after);
  return { answers, planned: changed.toSorted(byPlace) };
}

const keyOf = ({ collection, id }: { readonly collection: string; readonly id: string }): string =>
  JSON.stringify([collection, id]);

const toDocument = (write: Write): StoredDocument | undefined =>
  write.op === 'delete' ? undefined : { _id: write.id, r: 1, ...toBody(write.doc) };

/** Two batches that write the same objects in different order would wait for each other. */
const byPlace = (a: Planned, b: Planned): number => compare(a.collection, b.collection) || compare(a.id, b.id);
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The clash in its place; the others say nothing. */
const told = (writes: readonly Write[], place: number, clash: Clash): readonly Written[] =>
  writes.map(({ id }) => ({ id, revision: 0 })).with(place, clash as never);

function apply(
  write: Write,
  document: StoredDocument | undefined,
  plan: Planned,
  rules: readonly Rule[],
): Planned | Clash {
  const { id, op } = write;
  const stands = plan.after;
  if (op === 'insert') {
    if (stands) return { id, clash: 'exists' };
  } else {
    if (!stands && (op !== 'upsert' || write.expect !== undefined)) return { id, clash: 'missing' };
    if (write.expect !== undefined && stands!.r !== write.expect) return { id, clash: 'stale' };
  }
  const first = op === 'insert' ? (write.revision ?? 1) : 1;
  const after = document && { ...document, r: stands ? stands.r + 1 : first };
  const broken = after && rules.find((rule) => rule.isBrokenBy(after));
  if (broken) return { id, clash: 'unique', index: broken.index };
  for (const rule of rules) rule.follow(stands, after);
  return { ...plan, after, revisions: after ? [...plan.revisions, after.r] : plan.revisions };
}
