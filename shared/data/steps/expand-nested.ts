import { AppError } from '#errors.ts';
import { and } from '#query/filter.ts';
import type { Class, Property } from '#meta/class.ts';
import { createDraft, type Batch, type Draft, type Member } from '../draft.ts';
import type { WriterDeps } from '../writer-deps.ts';
import { assign } from './assign.ts';
import { settle } from './settle.ts';

const deepest = 20;
const pageSize = 1000;

/**
 * Settles the drafts and, level by level, the objects nested in them. Afterwards the batch holds all of them in the order
 * of writing: what is referred to first, what refers back last.
 * @param whenFound called once the roots' objects are known and nothing else is done; may take drafts out of the batch
 */
export async function settleAll(
  roots: readonly Draft[],
  batch: Batch,
  deps: WriterDeps,
  whenFound: () => Promise<void>,
): Promise<void> {
  const before = new Map<Draft, Draft[]>();
  const after = new Map<Draft, Draft[]>();
  let count = 0;
  let level = roots;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw tooMuch(`Objects are nested deeper than ${deepest} levels`);
    await settle(level, deps);
    if (depth === 0) {
      await whenFound();
      level = batch.drafts; // those that were not refused
    }
    await assign(level, batch, deps);
    const next: Draft[] = [];
    for (const draft of level) {
      const inner = await expand(draft, deps);
      before.set(draft, inner.before);
      after.set(draft, inner.after);
      next.push(...inner.before, ...inner.after);
    }
    count += next.length;
    if (count > deps.limits.nested) throw tooMuch(`More than ${deps.limits.nested} nested objects`);
    level = next;
  }
  if (count === 0) return;
  const ordered = (draft: Draft): readonly Draft[] => [
    ...before.get(draft)!.flatMap(ordered),
    draft,
    ...after.get(draft)!.flatMap(ordered),
  ];
  batch.drafts = batch.drafts.flatMap(ordered);
}

const tooMuch = (publicText: string) => new AppError('bad_request', undefined, { publicText });

async function expand(draft: Draft, deps: WriterDeps): Promise<{ before: Draft[]; after: Draft[] }> {
  const inner: { before: Draft[]; after: Draft[] } = { before: [], after: [] };
  for (const property of deps.plans(draft.itsClass).linked) {
    const input = Object.hasOwn(draft.values, property.name) ? draft.values[property.name] : undefined;
    if (input === undefined || input === null) continue;
    const target = deps.classes.get(property.target!);
    const isList = property.type.shape === 'list';
    if (!target || isList !== Array.isArray(input)) continue; // told as a wrong type later
    if (property.backRef !== undefined) {
      inner.after.push(...(await backward(draft, property, target, input as readonly unknown[], deps)));
    } else {
      const members = [input]
        .flat()
        .map((one, place) => memberOf(draft, property, target, one, isList ? place : undefined, deps));
      draft.links = new Map(draft.links).set(property.name, members);
      inner.before.push(...members.flatMap((member) => ('nested' in member ? [member.nested] : [])));
    }
  }
  return inner;
}

function memberOf(
  draft: Draft,
  property: Property,
  target: Class,
  sent: unknown,
  place: number | undefined,
  deps: WriterDeps,
  backLink?: Draft['backLink'],
): Member {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return { sent };
  const values = sent as Draft['values'];
  const told = keyIn(values);
  const isKeyAlone = told !== undefined && Object.keys(values).every((name) => name === '_id');
  if (isKeyAlone) return { sent: told };
  const asked = classIn(values, target, deps);
  return {
    nested: createDraft({
      input: draft.input,
      op: 'save',
      asked,
      // a reference back stands for the object it is nested in, however it was sent
      values: backLink ? without(values, backLink.property) : values,
      told,
      prefix: `${draft.prefix}${property.name}${place === undefined ? '' : `[${place}]`}.`,
      backLink,
    }),
  };
}

const keyIn = (values: Draft['values']): string | undefined => {
  const key = Object.hasOwn(values, '_id') ? values['_id'] : undefined;
  return typeof key === 'string' && key !== '' ? key : typeof key === 'number' ? String(key) : undefined;
};

/** A descendant of the target may be named, as answers do. */
function classIn(values: Draft['values'], target: Class, { classes }: WriterDeps): Class {
  const named = Object.hasOwn(values, '__class')
    ? values['__class']
    : Object.hasOwn(values, '_class')
      ? values['_class']
      : undefined;
  const found = typeof named === 'string' && named !== '' ? classes.get(named) : undefined;
  return found && target.family.includes(found.code) ? found : target;
}

/** Members of a computed collection: each refers back to the draft; those it no longer names are unlinked. */
async function backward(
  draft: Draft,
  property: Property,
  target: Class,
  input: readonly unknown[],
  deps: WriterDeps,
): Promise<readonly Draft[]> {
  const back = property.backRef!;
  const linked = input.map((sent, place): Draft => {
    const backLink = { property: back, to: draft };
    const member = memberOf(draft, property, target, sent, place, deps, backLink);
    if ('nested' in member) return member.nested;
    const told = typeof member.sent === 'string' || typeof member.sent === 'number' ? String(member.sent) : '';
    const prefix = `${draft.prefix}${property.name}[${place}].`;
    return createDraft({ input: draft.input, op: 'edit', asked: target, values: {}, told, prefix, backLink });
  });
  if (!draft.current || draft.id === undefined) return linked;
  const kept = new Set(linked.map((one) => one.told));
  const unlinked: Draft[] = [];
  for (let after: string | undefined; ;) {
    const page = await deps.objects.find(target.collection, {
      filter: and({ op: 'eq', path: back, value: draft.id }),
      count: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    for (const { id } of page) {
      if (kept.has(id)) continue;
      const prefix = `${draft.prefix}${property.name}.`;
      const backLink = { property: back, to: null };
      unlinked.push(
        createDraft({ input: draft.input, op: 'edit', asked: target, values: {}, told: id, prefix, backLink }),
      );
    }
    if (page.length < pageSize) break;
    after = page.at(-1)!.id;
  }
  return [...unlinked, ...linked];
}

const without = (values: Draft['values'], name: string): Draft['values'] =>
  Object.fromEntries(Object.entries(values).filter(([one]) => one !== name));
