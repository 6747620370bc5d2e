import { createHash } from 'node:crypto';
import type { Graph, Node } from './graph.ts';
import { presentNode, presentPlain, type Presenter } from './present.ts';
import type { Item } from './repository.ts';
import { expand, type Want } from './want.ts';

/** One object with what was loaded of it. */
export function createItem(node: Node, want: Want, graph: Graph, presenter: Presenter): Item {
  const propertyOf = (name: string) => node.itsClass.properties.get(name);
  const wantOf = (name: string) => expand(want, node.itsClass, 0, presenter.needs).children.get(name);
  const item: Item = {
    id: node.id,
    itsClass: node.itsClass,
    revision: node.revision,
    doc: node.doc,
    get version() {
      return versionOf(node, want, graph, presenter);
    },
    get(path) {
      const [name = '', ...rest] = path.split('.');
      if (rest.length > 0) return item.reference(name)?.get(rest.join('.')) ?? null;
      const property = propertyOf(name);
      if (!property) return name === 'id' || name === '_id' ? node.id : undefined;
      if (property.formula && !property.cached) return presenter.calculate(node, property, graph);
      if (property.backRef !== undefined) return item.collection(name) ?? null;
      const stored = node.doc[name] ?? null;
      return stored === null ? null : property.type.toJson(stored, property);
    },
    reference(name) {
      const property = propertyOf(name);
      const next = wantOf(name);
      const found = property && next?.shown ? graph.reference(node, property) : undefined;
      return found?.readable && next ? createItem(found, next, graph, presenter) : undefined;
    },
    collection(name) {
      const property = propertyOf(name);
      const next = wantOf(name);
      const found = property && next?.shown ? graph.items(node, property) : undefined;
      return found?.filter((one) => one.readable).map((one) => createItem(one, next!, graph, presenter));
    },
    toString: () => presenter.title(node, graph),
    present: (options = {}) => presentNode(node, want, graph, presenter, options),
    presentPlain: () => presentPlain(node, presenter.fileLink),
    toJSON: () => item.present(),
  };
  return item;
}

/** The revision; with what else shows in the public form behind a dash, where there is more than the object itself. */
function versionOf(node: Node, want: Want, graph: Graph, presenter: Presenter): string {
  const properties = [...node.itsClass.properties.values()];
  const alone =
    want.children.size === 0 &&
    presenter.needs(node.itsClass).plain &&
    properties.every((property) => !property.formula || property.cached);
  if (alone) return String(node.revision);
  const shown = JSON.stringify(presentNode(node, want, graph, presenter, {}));
  return `${node.revision}-${createHash('sha256').update(shown).digest('base64url').slice(0, 12)}`;
}
