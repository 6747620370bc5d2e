import type { Identity } from '#accounts/identity.ts';
import type { Done, Hooks, Upcoming } from '#data/hooks.ts';
import type { Values } from '#data/repository.ts';
import type { Class, Classes } from '#meta/class.ts';
import { toServiceError } from '../errors.ts';
import { toValues } from './legacy-input.ts';
import { LegacyItem } from './legacy-item.ts';
import { LegacyUser } from './legacy-user.ts';
import { sourceOf } from './source.ts';

/** What a listener of `dataRepo.on` is given. */
export interface LegacyEvent {
  /** `<class>@<namespace>.<event>` */
  readonly type: string;
  readonly id: string | undefined;
  readonly item: LegacyItem | undefined;
  /** Values of the change, as sent. */
  readonly data: Values;
  readonly updates: Values;
  readonly user: LegacyUser | undefined;
  /** Of `put` and `eject`. */
  readonly master?: LegacyItem;
  readonly details?: readonly LegacyItem[];
}

export type Listener = (event: LegacyEvent) => unknown;

export interface Listeners {
  /** @param name `class@ns.create`, `.edit`, `.delete`, `.pre-create`, `.pre-edit` (a bare class is the application's) or `class.collection.put`, `.eject` */
  on(name: string | readonly string[], listener: Listener): void;
  /** Calls the listeners of an event of the class and its ancestors, in order of registration, each awaited; their answers. */
  emit(itsClass: Class, event: string, more: Omit<LegacyEvent, 'type'>): Promise<readonly unknown[]>;
  /** To be handed to the repositories: then listeners hear of every write, whoever makes it. */
  readonly hooks: Hooks;
}

const known = /\.(create|edit|delete|pre-create|pre-edit|pre-delete|put|eject)$/;

export function createListeners(classes: Pick<Classes, 'get'>): Listeners {
  const byName = new Map<string, Listener[]>();

  const nameOf = (name: string): string => {
    if (!known.test(name)) throw new Error(`the event '${name}' is not offered here (docs/services.md says what is)`);
    const place = /\.(put|eject)$/.test(name) ? name.replace(/\.[^.]+\.(put|eject)$/, '') : name.replace(known, '');
    return `${classes.get(place)?.code ?? place}${name.slice(place.length)}`;
  };

  const emit: Listeners['emit'] = async (itsClass, event, more) => {
    const answers: unknown[] = [];
    for (let at: Class | undefined = itsClass; at !== undefined; at = at.ancestor) {
      const type = `${at.code}.${event}`;
      for (const listener of byName.get(type) ?? []) answers.push(await listener({ type, ...more }));
    }
    return answers;
  };

  const before = async (upcoming: Upcoming, as: Identity | undefined): Promise<Values | undefined> => {
    const { className, event, id, object, values } = upcoming;
    const itsClass = classes.get(className);
    if (itsClass === undefined || byName.size === 0) return undefined;
    const current = object ?? { itsClass, id: id ?? '', doc: {} };
    const item = new LegacyItem(sourceOf(current.itsClass, current.id, current.doc));
    const event_ = { id, item, data: values, updates: values, user: userOf(as) };
    try {
      const answers = await emit(current.itsClass, `pre-${event}`, event_);
      const given = answers.filter((answer) => typeof answer === 'object' && answer !== null && !Array.isArray(answer));
      return given.length > 0 ? toValues(Object.assign({}, ...given)) : undefined;
    } catch (thrown) {
      throw toServiceError(thrown);
    }
  };

  const after = async (done: Done, as: Identity | undefined): Promise<void> => {
    const item =
      done.event === 'delete'
        ? new LegacyItem(sourceOf(done.object.itsClass, done.object.id, done.object.doc))
        : new LegacyItem(done.item);
    await emit(item.itsClass, done.event, { id: item.id, item, data: {}, updates: {}, user: userOf(as) });
  };

  return {
    on(name, listener) {
      for (const one of typeof name === 'string' ? [name] : name) {
        const full = nameOf(one);
        byName.set(full, [...(byName.get(full) ?? []), listener]);
      }
    },
    emit,
    hooks: {
      before: async (all, as) => {
        const values: (Values | undefined)[] = [];
        for (const upcoming of all) values.push(await before(upcoming, as));
        return values;
      },
      after: async (all, as) => {
        if (byName.size > 0) for (const done of all) await after(done, as);
      },
    },
  };
}

export const userOf = (identity: Identity | null | undefined): LegacyUser | undefined =>
  identity ? new LegacyUser({ id: identity.id, name: identity.name, properties: identity.properties }) : undefined;
