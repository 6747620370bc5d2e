import type { ConfigFault } from '#config/config-error.ts';
import { placeOf, type ApplicationPlace } from './application-place.ts';
import { isVital, type Entries, type Entry } from './entries.ts';
import { findMaker, type Maker } from './find-maker.ts';
import { makeOptions } from './make-options.ts';
import { wellKnown, withoutCounterpart } from './module-paths.ts';
import { messageOf, Obstacle } from './obstacle.ts';
import type { Options, ScopeInput } from './scope.ts';
import { lazyComponent, unavailableComponent } from './stand-ins.ts';

/** What the built-in services take from the scope where deploy.json does not say otherwise: option → component. */
const defaults = Object.entries({
  auth: 'auth',
  metaRepo: 'metaRepo',
  dataRepo: 'dataRepo',
  keyProvider: 'keyProvider',
  fileStorage: 'fileStorage',
  workflow: 'workflows',
});
const takesDefaults = /^modules\/rest\/lib\/impl\/(crud|acceptor|meta|workflows)$/;

/** A component under construction: what wants what, for whom. */
interface Order {
  readonly entry: Entry;
  readonly legacy: boolean;
  /** From the first that was wanted to this one. */
  readonly chain: readonly Entry[];
}

/** Builds components on demand, each once, and keeps every fault and warning. */
export class Builder {
  readonly faults: ConfigFault[] = [];
  readonly warnings: string[] = [];
  readonly #input: ScopeInput;
  readonly #entries: Entries;
  readonly #place: ApplicationPlace;
  readonly #faces = new Map<Entry, unknown>();

  constructor(input: ScopeInput, entries: Entries) {
    this.#input = input;
    this.#entries = entries;
    this.#place = placeOf(input.application, input.namespace);
  }

  warn(message: string): void {
    this.warnings.push(message);
    this.#input.log.warn(message);
  }

  fault(path: string, message: string): void {
    this.faults.push({ file: this.#input.file, path, message });
  }

  /** Leaves a component out: a fault when it is vital, else a warning. */
  leaveOut(entry: Entry, path: string, why: string): void {
    if (isVital(entry)) this.fault(path, why);
    else this.warn(`component ${entry.name} is left out: ${why}`);
    entry.state = { is: 'absent', why, reported: isVital(entry) };
  }

  /** The component as a consumer of its kind is to see it; undefined when it is not there. */
  seenBy(entry: Entry, legacy: boolean): unknown {
    if (entry.state.is !== 'built') return undefined;
    const face = this.#input.builtins.legacy?.[entry.name];
    if (!legacy || !entry.builtin || face === undefined) return entry.state.component;
    if (!this.#faces.has(entry)) this.#faces.set(entry, face(entry.state.component));
    return this.#faces.get(entry);
  }

  async build(entry: Entry, chain: readonly Entry[] = []): Promise<void> {
    if (entry.state.is !== 'waiting') return;
    entry.state = { is: 'building' };
    try {
      await this.#make(entry, [...chain, entry]);
    } catch (thrown) {
      if (!(thrown instanceof Obstacle)) throw thrown;
      if (thrown.kind === 'absent') return this.leaveOut(entry, thrown.path, thrown.message);
      if (thrown.kind === 'fault') this.fault(thrown.path, thrown.message);
      entry.state = { is: 'absent', why: thrown.message, reported: true };
    }
  }

  /** Of a gateway, which is not built here. Undefined after a fault. */
  async gatewayOptions(entry: Entry): Promise<Options | undefined> {
    try {
      return await this.#optionsFor({ entry, legacy: false, chain: [entry] });
    } catch (thrown) {
      if (!(thrown instanceof Obstacle)) throw thrown;
      if (thrown.kind !== 'reported') this.fault(thrown.path, thrown.message);
      return undefined;
    }
  }

  async #make(entry: Entry, chain: readonly Entry[]): Promise<void> {
    const maker = await findMaker(entry, {
      input: this.#input,
      place: this.#place,
      warn: (message) => this.warn(message),
    });
    const given = await this.#optionsFor({ entry, legacy: maker.legacy, chain });
    const options = takesDefaults.test(maker.module ?? '') ? await this.#withDefaults(given, chain) : given;
    const component = await instance(entry, maker, options);
    const initializer = maker.holder ?? (typeof component === 'object' && component !== null ? component : undefined);
    const { legacy, module } = maker;
    entry.state = { is: 'built', component, legacy, module, initializer: maker.own ? undefined : initializer };
  }

  async #optionsFor(order: Order): Promise<Options> {
    const { entry } = order;
    const { made } = await makeOptions(entry.definition.options ?? {}, `${entry.path}.options`, {
      place: this.#place,
      inline: (definition) => this.#entries.inline.get(definition),
      refer: (name, lazy, path) => this.#refer(order, name, lazy, path),
      build: (inline, path) => this.#use(order, inline, path),
    });
    return made as Options;
  }

  async #refer(order: Order, name: string, lazy: boolean, path: string): Promise<{ component: unknown }> {
    const { entry, legacy } = order;
    // the application's components go first: a service may have the name of the component it is made of
    const found = this.#entries.application.get(name);
    const target = found ?? (entry.level === 'rest' ? this.#entries.rest.get(name) : undefined);
    if (target === undefined) return { component: this.#unknown(entry, name, path) };
    if (!lazy) return this.#use(order, target, path);
    entry.needs.add(target);
    const find = (): unknown => {
      if (target.state.is === 'built') return this.seenBy(target, legacy);
      const why = target.state.is === 'absent' ? target.state.why : 'it is not built yet';
      throw new Error(`component ${name} cannot be used: ${why}`);
    };
    return { component: lazyComponent(find) };
  }

  async #use({ entry, legacy, chain }: Order, target: Entry, path: string): Promise<{ component: unknown }> {
    entry.needs.add(target);
    if (target.state.is === 'building') throw cycle(entry, target, chain, path);
    await this.build(target, chain);
    if (target.state.is !== 'absent') return { component: this.seenBy(target, legacy) };
    if (target.state.reported) throw new Obstacle('reported', path, target.state.why);
    const why = `${entry.name} refers to ${target.name}, which is left out (${target.state.why})`;
    if (!entry.builtin || isVital(entry)) throw new Obstacle('absent', path, why);
    this.warn(`the built-in ${entry.name} goes without ${target.name}, which is left out`);
    return { component: undefined };
  }

  #unknown(entry: Entry, name: string, path: string): unknown {
    if (wellKnown.has(name)) return unavailableComponent(name);
    if (withoutCounterpart.has(name))
      throw new Obstacle('absent', path, `${entry.name} refers to ${name}, which has no counterpart here`);
    const own = entry.level === 'rest' ? this.#entries.rest.keys() : [];
    const known = [...new Set([...this.#entries.application.keys(), ...wellKnown, ...own])].sort().join(', ');
    const message = `component ${entry.name} refers to ${name}, which nobody defines; known are ${known}`;
    throw new Obstacle('fault', path, message);
  }

  async #withDefaults(given: Options, chain: readonly Entry[]): Promise<Options> {
    const taken: [string, unknown][] = [];
    for (const [option, name] of defaults) {
      const target = given[option] === undefined ? this.#entries.application.get(name) : undefined;
      if (target === undefined) continue;
      await this.build(target, chain);
      if (target.state.is === 'built') taken.push([option, target.state.component]);
    }
    return { ...given, ...Object.fromEntries(taken) };
  }
}

async function instance({ name, path }: Entry, maker: Maker, options: Options): Promise<unknown> {
  try {
    return await maker.make(options);
  } catch (thrown) {
    throw new Obstacle('absent', path, `component ${name} cannot be made: ${messageOf(thrown)}`, thrown);
  }
}

const cycle = ({ name }: Entry, target: Entry, chain: readonly Entry[], path: string): Obstacle => {
  const circle = [...chain.slice(Math.max(chain.indexOf(target), 0)), target].map((one) => one.name).join(' → ');
  return new Obstacle('fault', path, `component ${name} is part of a cycle: ${circle}; make one of them lazy://`);
};
