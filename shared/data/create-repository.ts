import type { Access } from '#access/rights.ts';
import type { Identity } from '#accounts/identity.ts';
import { AppError } from '#errors.ts';
import type { Log } from '#log.ts';
import type { Class, Classes } from '#meta/class.ts';
import { calculate, createScope } from '#meta/scope.ts';
import { renderTitle } from '#meta/semantic.ts';
import type { FileStore } from '#stores/file-store.ts';
import type { ObjectStore } from '#stores/object-store.ts';
import type { Rules } from './draft.ts';
import type { Node } from './graph.ts';
import type { Guard } from './guard.ts';
import type { Done, Hooks } from './hooks.ts';
import { createPlans } from './plan.ts';
import type { FileLink, Presenter } from './present.ts';
import { createReader } from './read.ts';
import { createRemover } from './remove.ts';
import type { Change, Item, ListOptions, Outcome, Repository, WriteOptions } from './repository.ts';
import { sightOf, trustedSight, type Sight } from './sight.ts';
import { createNeeds } from './want.ts';
import { createWriter, type WriteHow, type WriteResult } from './write.ts';
import type { WriteLimits } from './writer-deps.ts';

export interface RepositoryDeps {
  readonly objects: ObjectStore;
  readonly files: Pick<FileStore, 'put'>;
  readonly classes: Classes;
  /** A slow hash for attributes of the type password. */
  readonly hashPassword: (password: string) => Promise<string>;
  readonly log: Log;
  readonly hooks?: Hooks;
  readonly fileLink?: FileLink;
  readonly limits?: WriteLimits;
  readonly clock?: () => Date;
}

export interface SecuredRepositoryDeps extends RepositoryDeps {
  readonly access: Pick<Access, 'rightsOf'>;
  readonly guards?: readonly Guard[];
}

/** Objects without a look at rights: for trusted code. */
export const createRepository = (deps: RepositoryDeps): Repository => build(deps, async () => trustedSight);

/** Objects as far as the caller's rights go, in every read, list, nested save and collection. */
export const createSecuredRepository = ({ access, guards = [], ...deps }: SecuredRepositoryDeps): Repository =>
  build(deps, (as) => sightOf(as?.id ?? null, access, guards));

/** Where crud serves files unless it is told otherwise. */
const crudLink: FileLink = ({ className, id, property, file }) =>
  ['/rest/crud', className, id, property, ...(file === undefined ? [] : [file])]
    .map((part, place) => (place === 0 ? part : encodeURIComponent(part)))
    .join('/');

const defaultLimits: WriteLimits = { file: 100 * 1024 * 1024, nested: 10_000 };

function build(deps: RepositoryDeps, sightFor: (as: Identity | null | undefined) => Promise<Sight>): Repository {
  const { classes, log, hooks = {}, fileLink = crudLink, limits = defaultLimits, clock = () => new Date() } = deps;
  const needs = createNeeds();
  const presenter: Presenter = {
    needs,
    fileLink,
    title: (node, graph) => renderTitle(node, graph.lookup('readable'), clock()),
    calculate(node, property, graph) {
      const stored = calculate(property, createScope(node, graph.lookup('all'), { now: clock() }));
      return stored === null ? null : property.type.toJson(stored, property);
    },
  };
  const reader = createReader({ objects: deps.objects, classes, presenter });
  const write = createWriter({ ...deps, plans: createPlans(), needs, hooks, limits, clock });
  const remove = createRemover(deps.objects, classes);

  const classFor = (className: string): Class => {
    const found = classes.get(className);
    if (!found || found.isStruct) throw new AppError('not_found', `there is no class ${className}`);
    return found;
  };

  const after = async (done: readonly Done[], as: Identity | undefined): Promise<void> => {
    try {
      await hooks.after?.(done, as);
    } catch (error) {
      log.error('a listener failed after a write', { error });
    }
  };

  /** Written objects as the caller may see them: without the right to read, only what was sent. */
  const itemsOf = async (results: readonly WriteResult[], eager: ListOptions['eager'], sight: Sight) => {
    const drafts = results.flatMap((result) => ('draft' in result ? [result.draft] : []));
    const sees = await sight.sees(drafts.map(({ id, itsClass, doc }) => ({ id: id!, itsClass, doc })));
    const nodes = drafts.map(({ id, itsClass, doc, revision, touched }, place): Node => {
      if (sees[place]) return { id: id!, itsClass, doc, revision, readable: true };
      const shown = Object.entries(doc).filter(([name]) => touched.has(name) || itsClass.key.includes(name));
      return {
        id: id!,
        itsClass,
        doc: { _class: itsClass.code, ...Object.fromEntries(shown) },
        revision,
        readable: true,
      };
    });
    const items = await reader.items(nodes, eager, sight);
    return new Map(drafts.map((draft, place) => [draft, items[place]!]));
  };

  const run = async (changes: readonly Change[], how: Omit<WriteHow, 'sight'>, eager: ListOptions['eager']) => {
    const sight = await sightFor(how.as);
    const results = await write(changes, { ...how, sight });
    const items = await itemsOf(results, eager, sight);
    const outcomes = results.map((result): Outcome => {
      if ('error' in result) return result;
      return { item: items.get(result.draft)!, created: result.draft.current === undefined };
    });
    const done = outcomes.flatMap((one): Done[] =>
      'item' in one ? [{ event: one.created ? 'create' : 'edit', item: one.item }] : [],
    );
    if (!how.dryRun) await after(done, how.as);
    return outcomes;
  };

  const one = async (change: Change, { as, eager = [], unknown = 'ignore' }: WriteOptions): Promise<Item> => {
    const rules: Rules = { seeds: false, unknown };
    const [outcome] = await run([change], { as, mode: 'atomic', rules, dryRun: false }, eager);
    if (!outcome || 'error' in outcome) throw outcome?.error ?? new AppError('internal');
    return outcome.item;
  };

  return {
    async list(className, filter, as) {
      return (await reader.find(classFor(className), { filter }, await sightFor(as))).items;
    },
    find: async (className, options, as) => reader.find(classFor(className), options, await sightFor(as)),
    count: async (className, filter, as) => reader.count(classFor(className), filter, await sightFor(as)),
    get: async (className, id, options, as) => reader.get(classFor(className), id, options?.eager, await sightFor(as)),
    create: (className, values, options = {}) => one({ ...options, op: 'create', className, values }, options),
    edit: (className, id, values, options = {}) => one({ ...options, op: 'edit', className, id, values }, options),
    save: (className, id, values, options = {}) => one({ ...options, op: 'save', className, id, values }, options),
    async remove(className, id, { as, expect } = {}) {
      const object = await remove(classFor(className), id, expect, await sightFor(as));
      await after([{ event: 'delete', object }], as);
    },
    write: (changes, { as, mode, dryRun = false, unknown = 'ignore' }) =>
      run(changes, { as, mode, dryRun, rules: { seeds: false, unknown } }, undefined),
  };
}
