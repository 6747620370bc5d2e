import { z } from 'zod';

const text = z.string().nullish();
const flag = z.preprocess(
  (raw) => (raw === 'true' || raw === 1 ? true : raw === 'false' || raw === 0 ? false : raw),
  z.boolean().nullish(),
);
const number = z.preprocess(
  (raw) => (typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw === '' ? null : raw),
  z.number().nullish(),
);
/** Names that objects carry beside their attributes. */
const systemNames = new Set(
  '_id _creator _editor _class _classVer __class __classVer __classTitle __string ___workflowStatus'.split(' '),
);
const name = z
  .string()
  .min(1)
  .refine((one) => !/^\$|[.\0]/.test(one), 'must not hold "." nor begin with "$"')
  .refine((one) => !(one in Object.prototype) && !systemNames.has(one), 'is a reserved word');

const choice = z.looseObject({ key: z.union([z.string(), z.number(), z.boolean()]), value: z.unknown().optional() });
const row = z.looseObject({ conditions: z.unknown().optional(), result: z.array(choice).nullish() });

const property = z.looseObject({
  name,
  caption: text,
  type: number,
  orderNumber: number,
  size: number,
  decimals: number,
  nullable: flag,
  readonly: flag,
  indexed: flag,
  unique: flag,
  autoassigned: flag,
  defaultValue: z.unknown().optional(),
  refClass: text,
  itemsClass: text,
  backRef: text,
  backColl: text,
  selectionProvider: z
    .looseObject({ type: text, list: z.array(choice).nullish(), matrix: z.array(row).nullish() })
    .nullish(),
  eagerLoading: flag,
  formula: z.unknown().optional(),
  cached: flag,
  allowedFileTypes: z.union([z.string(), z.array(z.string())]).nullish(),
  maxFileCount: number,
});

const className = z
  .string()
  .min(1)
  .regex(/^[^\s/$\0]+$/, 'must not hold spaces, "/" or "$"');
const names = z.union([z.string(), z.array(z.string())]).nullish();

/** A class file as people write it. Unknown keys are kept; null counts as absent. */
export const classDefinition = z.looseObject({
  name: className,
  namespace: text,
  caption: text,
  version: z.union([z.string(), z.number()]).nullish(),
  key: names,
  semantic: text,
  ancestor: text,
  abstract: flag,
  isStruct: flag,
  creationTracker: text,
  changeTracker: text,
  creatorTracker: text,
  editorTracker: text,
  compositeIndexes: z.array(z.looseObject({ properties: z.array(z.string()), unique: flag })).nullish(),
  properties: z.array(property).nullish(),
});

/** A file of `meta/types`. */
export const typeDefinition = z.looseObject({
  name: className,
  namespace: text,
  caption: text,
  type: number,
  refClass: text,
  mask: z.unknown().optional(),
  maskName: text,
  size: number,
  decimals: number,
});

export type ClassDefinition = z.infer<typeof classDefinition>;
export type PropertyDefinition = z.infer<typeof property>;
export type TypeDefinition = z.infer<typeof typeDefinition>;

/** A file's content with the path it came from, for messages. */
export interface Source {
  readonly file: string;
  readonly content: unknown;
}

/** What is wrong in a file, and where in it: `properties.2.type`. */
export interface Finding {
  readonly file: string;
  readonly path: string;
  readonly message: string;
}

export const describe = ({ file, path, message }: Finding): string =>
  `${file}: ${path === '' ? '' : `${path}: `}${message}`;

/** `<name>@<namespace>`; a bare name belongs to the given namespace. The last `@` divides. */
export const codeOf = (written: string, namespace: string): string =>
  written.includes('@') ? written : `${written}@${namespace}`;

/** What a file holds, in the form asked for; what is wrong is added to the faults with its place. */
export function check<T>(schema: z.ZodType<T>, { file, content }: Source, faults: Finding[]): T | undefined {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  faults.push(...read.error.issues.map((issue) => ({ file, path: issue.path.join('.'), message: issue.message })));
  return undefined;
}
