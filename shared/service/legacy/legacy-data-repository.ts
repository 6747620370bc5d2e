import type { Repository, WriteOptions } from '#data/repository.ts';
import { AppError } from '#errors.ts';
import type { Class, Classes } from '#meta/class.ts';
import { aggregate, type AggregateOptions } from './aggregate.ts';
import { createCollections, type Collections } from './legacy-collections.ts';
import { toIonError } from './legacy-error.ts';
import { toCaller, toEager, toValues } from './legacy-input.ts';
import { LegacyItem } from './legacy-item.ts';
import { toListOptions, type LegacyOptions } from './legacy-options.ts';
import type { Listener, Listeners } from './listeners.ts';
import { refuse } from './refuse.ts';
import { sourceOf } from './source.ts';

/** What `instanceof` and old inheritance ask for. */
export const LegacyDataRepository = function (): void {} as unknown as { new (): object; readonly prototype: object };

type ClassOrItem = string | LegacyItem;
type List = readonly LegacyItem[] & { readonly total?: number };

/** `dataRepo` and `securedDataRepo` of old services (docs/services.md). Refusals are IonErrors. */
export interface LegacyRepository extends Collections {
  getList(of: ClassOrItem, options?: LegacyOptions): Promise<List>;
  getItem(of: ClassOrItem, id?: unknown, options?: LegacyOptions): Promise<LegacyItem | null>;
  getCount(of: ClassOrItem, options?: LegacyOptions): Promise<number>;
  createItem(
    name: string,
    data: unknown,
    version?: unknown,
    logger?: unknown,
    options?: LegacyOptions,
  ): Promise<LegacyItem>;
  editItem(name: string, id: unknown, data: unknown, logger?: unknown, options?: LegacyOptions): Promise<LegacyItem>;
  saveItem(name: string, id: unknown, data: unknown, version?: unknown, logger?: unknown, options?: LegacyOptions): Promise<LegacyItem>; // prettier-ignore
  deleteItem(name: string, id: unknown, logger?: unknown, options?: LegacyOptions): Promise<void>;
  aggregate(name: string, options?: LegacyOptions & AggregateOptions): Promise<readonly object[]>;
  /** How many were changed. */
  bulkEdit(name: string, data: unknown, options?: LegacyOptions): Promise<number>;
  bulkDelete(name: string, options?: LegacyOptions): Promise<number>;
  /** An item that is not stored. */
  wrap(name: string, data: unknown): LegacyItem;
  on(name: string | readonly string[], listener: Listener): void;
}

export interface LegacyRepositoryDeps {
  readonly repository: Repository;
  readonly classes: Pick<Classes, 'get'>;
  readonly listeners: Listeners;
}

export function createLegacyRepository({ repository, classes, listeners }: LegacyRepositoryDeps): LegacyRepository {
  const classOf = (of: ClassOrItem): Class => {
    const name = of instanceof LegacyItem ? of.getClassName() : of;
    const found = classes.get(name);
    if (found === undefined) throw toIonError(new AppError('not_found'), false);
    return found;
  };
  const run = async <T>(of: ClassOrItem, work: (name: string) => Promise<T>): Promise<T> => {
    const { code } = classOf(of);
    try {
      return await work(code);
    } catch (thrown) {
      throw toIonError(thrown, true);
    }
  };
  const writing = (options: LegacyOptions = {}): WriteOptions => ({
    as: toCaller(options.user),
    eager: toEager(options.forceEnrichment),
  });
  const keyOf = (id: unknown): string => (id instanceof LegacyItem ? id.getItemId() : String(id));
  const wrapped = async (item: ReturnType<Repository['create']>): Promise<LegacyItem> => new LegacyItem(await item);

  const getList: LegacyRepository['getList'] = (of, options = {}) =>
    run(of, async (name) => {
      const { items, total } = await repository.find(name, toListOptions(options), toCaller(options.user));
      const list = items.map((item) => new LegacyItem(item));
      return total === undefined ? list : Object.assign(list, { total });
    });

  const all = async (name: string, options: LegacyOptions = {}): Promise<List> =>
    getList(name, { filter: options.filter, user: options.user });

  const offered: LegacyRepository = {
    getList,
    async getItem(of, id, options = {}) {
      const own = id ?? (of instanceof LegacyItem ? of.getItemId() : undefined);
      if (own === undefined || own === null || own === '') {
        const [first] = options.filter === undefined ? [] : await getList(of, { ...options, count: 1 });
        return first ?? null;
      }
      const eager = toEager(options.forceEnrichment);
      const found = await run(of, (name) => repository.get(name, keyOf(own), { eager }, toCaller(options.user)));
      return found === undefined ? null : new LegacyItem(found);
    },
    getCount: (of, { filter, user } = {}) => run(of, (name) => repository.count(name, filter, toCaller(user))),
    createItem: (of, data, _version, _logger, options) =>
      run(of, (name) => wrapped(repository.create(name, toValues(data), writing(options)))),
    editItem: (of, id, data, _logger, options) =>
      run(of, (name) => wrapped(repository.edit(name, keyOf(id), toValues(data), writing(options)))),
    saveItem: (of, id, data, _version, _logger, options) =>
      run(of, (name) => {
        const key = id === undefined || id === null || id === '' ? undefined : keyOf(id);
        return wrapped(repository.save(name, key, toValues(data), writing(options)));
      }),
    deleteItem: (of, id, _logger, options) => run(of, (name) => repository.remove(name, keyOf(id), writing(options))),
    aggregate: async (name, options = {}) => aggregate(await all(name, options), options),
    async bulkEdit(name, data, options) {
      const items = await all(name, options);
      for (const item of items) await offered.editItem(item.getClassName(), item.id, data, null, options);
      return items.length;
    },
    async bulkDelete(name, options) {
      const items = await all(name, options);
      for (const item of items) await offered.deleteItem(item.getClassName(), item.id, null, options);
      return items.length;
    },
    wrap: (name, data) => {
      const doc = toValues(data) as Parameters<typeof sourceOf>[2];
      const key = classOf(name).key.map((part) => keyOf(doc[part] ?? ''));
      const id = doc['_id'] ?? key.join('_');
      return new LegacyItem(sourceOf(classOf(name), keyOf(id), doc));
    },
    on: (name, listener) => listeners.on(name, listener),
    ...createCollections({ repository, classes, listeners, run, getList }),
  };
  const legacy = Object.assign(Object.create(LegacyDataRepository.prototype) as object, offered);
  return refuse(legacy, 'dataRepo', ['ds', 'dataSource', 'db']);
}
