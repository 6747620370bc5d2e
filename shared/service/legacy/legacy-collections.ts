import type { Repository } from '#data/repository.ts';
import type { Classes, Property } from '#meta/class.ts';
import { toCaller } from './legacy-input.ts';
import type { LegacyItem } from './legacy-item.ts';
import type { LegacyOptions } from './legacy-options.ts';
import { userOf, type Listeners } from './listeners.ts';

/** The members of old repositories that work on a collection of one object. */
export interface Collections {
  /** Puts existing objects into a collection. */
  put(master: LegacyItem, collection: string, items: readonly LegacyItem[], logger?: unknown, options?: LegacyOptions): Promise<void>; // prettier-ignore
  eject(master: LegacyItem, collection: string, items: readonly LegacyItem[], logger?: unknown, options?: LegacyOptions): Promise<void>; // prettier-ignore
  getAssociationsList(master: LegacyItem, collection: string, options?: LegacyOptions): Promise<readonly LegacyItem[]>;
  getAssociationsCount(master: LegacyItem, collection: string, options?: LegacyOptions): Promise<number>;
}

interface Deps {
  readonly repository: Repository;
  readonly classes: Pick<Classes, 'get'>;
  readonly listeners: Listeners;
  readonly run: <T>(of: LegacyItem, work: (name: string) => Promise<T>) => Promise<T>;
  readonly getList: (name: string, options: LegacyOptions) => Promise<readonly LegacyItem[]>;
}

export function createCollections({ repository, classes, listeners, run, getList }: Deps): Collections {
  const propertyOf = (master: LegacyItem, name: string): Property & { readonly target: string } => {
    const property = master.itsClass.properties.get(name);
    if (property?.target === undefined || property.type.name !== 'collection')
      throw new Error(`${master.getClassName()} has no collection '${name}'`);
    return { ...property, target: property.target };
  };
  const linked = async (master: LegacyItem, name: string, user: unknown): Promise<readonly string[]> => {
    const current = await repository.get(master.getClassName(), master.id, { eager: [[name]] }, toCaller(user));
    return (current?.collection(name) ?? []).map((item) => item.id);
  };

  const change =
    (word: 'put' | 'eject'): Collections['put'] =>
    (master, name, items, _logger, options = {}) =>
      run(master, async (className) => {
        const property = propertyOf(master, name);
        const as = toCaller(options.user);
        const ids = items.map((item) => item.getItemId());
        if (property.backRef !== undefined) {
          const value = { [property.backRef]: word === 'put' ? master.id : null };
          for (const item of items) await repository.edit(item.getClassName(), item.getItemId(), value, { as });
        } else {
          const before = await linked(master, name, options.user);
          const after = word === 'put' ? [...new Set([...before, ...ids])] : before.filter((id) => !ids.includes(id));
          await repository.edit(className, master.id, { [name]: after }, { as });
        }
        const event = { id: master.id, item: master, data: {}, updates: {}, user: userOf(as) };
        await listeners.emit(master.itsClass, `${name}.${word}`, { ...event, master, details: items });
      });

  const filterOf = async (master: LegacyItem, name: string, { filter, user }: LegacyOptions): Promise<object> => {
    const property = propertyOf(master, name);
    const own =
      property.backRef === undefined
        ? { in: ['$_id', await linked(master, name, user)] }
        : { eq: [`$${property.backRef}`, master.id] };
    return filter === undefined || filter === null ? own : { and: [own, filter] };
  };

  return {
    put: change('put'),
    eject: change('eject'),
    getAssociationsList: async (master, name, options = {}) =>
      getList(propertyOf(master, name).target, { ...options, filter: await filterOf(master, name, options) }),
    getAssociationsCount: (master, name, options = {}) =>
      run(master, async () => {
        const target = classes.get(propertyOf(master, name).target)?.code ?? '';
        return repository.count(target, await filterOf(master, name, options), toCaller(options.user));
      }),
  };
}
