import { isFileValue, type FileValue } from '#meta/types/file-value.ts';
import type { Property } from '#meta/class.ts';
import { captionOf } from '#meta/selection.ts';
import type { Value } from '#stores/object-store.ts';
import type { Graph, Node } from './graph.ts';
import type { PresentOptions } from './repository.ts';
import { expand, type ClassNeeds, type Want } from './want.ts';

/** Where a file attribute can be fetched; `file` only where the attribute holds several. */
export type FileLink = (place: {
  readonly className: string;
  readonly id: string;
  readonly property: string;
  readonly file?: string;
}) => string;

/** What presenting needs beside the objects; one for all answers of a repository. */
export interface Presenter {
  readonly needs: (itsClass: Node['itsClass']) => ClassNeeds;
  readonly title: (node: Node, graph: Graph) => string;
  readonly calculate: (node: Node, property: Property, graph: Graph) => unknown;
  readonly fileLink: FileLink;
}

interface Context {
  readonly graph: Graph;
  readonly presenter: Presenter;
  readonly seen: Set<string>;
}

/** The public form of an object, in the order docs/crud.md gives. Every name that leaves is named here or is an attribute. */
export function presentNode(
  node: Node,
  want: Want,
  graph: Graph,
  presenter: Presenter,
  { fields, seen = new Set() }: PresentOptions,
): Readonly<Record<string, unknown>> {
  const context = { graph, presenter, seen };
  seen.add(keyOf(node));
  return presentFields(node, want, context, 0, fields && new Set(fields));
}

function presentFields(node: Node, want: Want, context: Context, depth: number, fields?: ReadonlySet<string>) {
  const { itsClass, doc, id } = node;
  const all = expand(want, itsClass, depth, context.presenter.needs);
  const creator = doc['_creator'] ?? tracked(node, itsClass.trackers.creator);
  const editor = doc['_editor'] ?? tracked(node, itsClass.trackers.editor);
  const shown: Record<string, unknown> = {};
  if (creator !== undefined) shown['_creator'] = creator;
  if (editor !== undefined) shown['_editor'] = editor;
  shown['_id'] = id;
  shown['__string'] = context.presenter.title(node, context.graph);
  shown['__class'] = itsClass.code;
  shown['__classTitle'] = itsClass.caption;
  shown['id'] = id;
  for (const property of itsClass.properties.values()) {
    if (property.type.name === 'password' || (fields && !fields.has(property.name))) continue;
    shown[property.name] = presentValue(node, property, all.children.get(property.name), context, depth);
    if (property.selection) shown[`${property.name}_str`] = caption(node, property);
  }
  return shown;
}

function presentValue(
  node: Node,
  property: Property,
  want: Want | undefined,
  context: Context,
  depth: number,
): unknown {
  if (property.formula && !property.cached) return context.presenter.calculate(node, property, context.graph);
  const stored = node.doc[property.name] ?? null;
  if (property.target !== undefined && property.type.shape === 'list') {
    if (!want?.shown) return null;
    const items = context.graph.items(node, property) ?? [];
    return items.filter((item) => item.readable).map((item) => presentNested(item, want, context, depth));
  }
  if (stored === null) return null;
  if (property.target !== undefined && want?.shown) {
    const target = context.graph.reference(node, property);
    if (target?.readable) return presentNested(target, want, context, depth);
  }
  return presentStored(node, property, stored, context.presenter.fileLink);
}

function presentNested(node: Node, want: Want, context: Context, depth: number): unknown {
  const key = keyOf(node);
  if (context.seen.has(key)) return { _id: node.id };
  context.seen.add(key);
  return presentFields(node, want, context, depth + 1);
}

function presentStored(node: Node, property: Property, stored: Value, fileLink: FileLink): unknown {
  const place = { className: node.itsClass.code, id: node.id, property: property.name };
  if (isFileType(property)) {
    if (Array.isArray(stored)) {
      const files = (stored as readonly Value[]).filter(isFileValue);
      return files.map((file) => presentFile(file, fileLink({ ...place, file: file.hash })));
    }
    return isFileValue(stored) ? presentFile(stored, fileLink(place)) : null;
  }
  return property.type.toJson(stored, property);
}

const presentFile = ({ hash, name, size, type }: FileValue, link: string) => ({ id: hash, name, link, size, type });

/** The acceptor's form: attributes alone, nothing loaded. */
export function presentPlain(node: Node, fileLink: FileLink): Readonly<Record<string, unknown>> {
  const { itsClass, doc, id } = node;
  const shown: Record<string, unknown> = { _id: id, id, _class: itsClass.code, _classVer: itsClass.version };
  for (const property of itsClass.properties.values()) {
    if (property.type.name === 'password') continue;
    const stored = doc[property.name] ?? null;
    const computed = property.backRef !== undefined;
    shown[property.name] = stored === null || computed ? null : presentStored(node, property, stored, fileLink);
  }
  return shown;
}

/** Whether its values are files, kept in the file store. */
export const isFileType = ({ type: { name } }: Property): boolean =>
  name === 'file' || name === 'image' || name === 'files';

function caption({ doc }: Node, property: Property): string | null {
  const stored = doc[property.name];
  return stored === undefined || stored === null ? null : captionOf(property, property.type.toJson(stored, property));
}

const tracked = ({ doc }: Node, name: string | undefined) =>
  name === undefined ? undefined : (doc[name] ?? undefined);
const keyOf = (node: Node): string => `${node.itsClass.collection} ${node.id}`;
