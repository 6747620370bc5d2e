import { createHash } from 'node:crypto';
import type { Property } from '#meta/class.ts';
import type { Graph, Node } from './graph.ts';
import { presentNode, presentPlain, type Presenter } from './present.ts';
import type { Item, PresentOptions } from './repository.ts';
import { expand, type Want } from './want.ts';

/** One object with what was loaded of it. */
export const createItem = (node: Node, want: Want, graph: Graph, presenter: Presenter): Item =>
  new LoadedItem(node, want, graph, presenter);

// a class, for a batch makes thousands: methods are shared, not made for each
class LoadedItem implements Item {
  readonly #node: Node;
  readonly #want: Want;
  readonly #graph: Graph;
  readonly #presenter: Presenter;

  constructor(node: Node, want: Want, graph: Graph, presenter: Presenter) {
    this.#node = node;
    this.#want = want;
    this.#graph = graph;
    this.#presenter = presenter;
  }

  get id() {
    return this.#node.id;
  }

  get itsClass() {
    return this.#node.itsClass;
  }

  get revision() {
    return this.#node.revision;
  }

  get doc() {
    return this.#node.doc;
  }

  get version(): string {
    return versionOf(this.#node, this.#want, this.#graph, this.#presenter);
  }

  get(path: string): unknown {
    const [name = '', ...rest] = path.split('.');
    if (rest.length > 0) return this.reference(name)?.get(rest.join('.')) ?? null;
    const property = this.itsClass.properties.get(name);
    if (!property) return name === 'id' || name === '_id' ? this.id : undefined;
    if (property.formula && !property.cached) return this.#presenter.calculate(this.#node, property, this.#graph);
    if (property.backRef !== undefined) return this.collection(name) ?? null;
    const stored = this.doc[name] ?? null;
    return stored === null ? null : property.type.toJson(stored, property);
  }

  reference(name: string): Item | undefined {
    return this.#loaded(name, (property) => {
      const found = this.#graph.reference(this.#node, property);
      return found && [found];
    })?.[0];
  }

  collection(name: string): readonly Item[] | undefined {
    return this.#loaded(name, (property) => this.#graph.items(this.#node, property));
  }

  #loaded(name: string, find: (property: Property) => readonly Node[] | undefined): readonly Item[] | undefined {
    const property = this.itsClass.properties.get(name);
    const want = expand(this.#want, this.itsClass, 0, this.#presenter.needs).children.get(name);
    if (!property || !want?.shown) return undefined;
    const readable = find(property)?.filter((one) => one.readable);
    return readable?.map((one) => createItem(one, want, this.#graph, this.#presenter));
  }

  toString(): string {
    return this.#presenter.title(this.#node, this.#graph);
  }

  present(options: PresentOptions = {}): Readonly<Record<string, unknown>> {
    return presentNode(this.#node, this.#want, this.#graph, this.#presenter, options);
  }

  presentPlain(): Readonly<Record<string, unknown>> {
    return presentPlain(this.#node, this.#presenter.fileLink);
  }

  toJSON(): Readonly<Record<string, unknown>> {
    return this.present();
  }
}

/** The revision; with what else shows in the public form behind a dash, where there is more than the object itself. */
function versionOf(node: Node, want: Want, graph: Graph, presenter: Presenter): string {
  const alone = want.children.size === 0 && presenter.needs(node.itsClass).plain;
  if (alone) return String(node.revision);
  const shown = JSON.stringify(presentNode(node, want, graph, presenter, {}));
  return `${node.revision}-${createHash('sha256').update(shown).digest('base64url').slice(0, 12)}`;
}
