import { isIdentity, toAccount, toDoc } from '#accounts/account-store.ts';
import { isKnownHash } from '#accounts/password.ts';
import { classOf } from '#data/graph.ts';
import type { Class, Classes } from '#meta/class.ts';
import type { Doc, Value } from '#stores/object-store.ts';
import type { TransferFault } from './faults.ts';
import type { ItemLine, ObjectLine, SystemLine } from './format.ts';
import { isPlainDoc } from './plain-doc.ts';
import { systemCollections } from './system-collections.ts';

/** A line that may be stored. */
export interface Item {
  readonly line: number;
  readonly kind: ItemLine['kind'];
  readonly collection: string;
  readonly id: string;
  readonly doc: Doc;
  readonly revision: number | undefined;
  /** Of an object. */
  readonly itsClass: Class | undefined;
}

type Refused = { readonly fault: Pick<TransferFault, 'code' | 'message'> };

const refuse = (code: TransferFault['code'], message: string): Refused => ({ fault: { code, message } });

/** What a line means here, or why it cannot be taken. */
export function checkItem(item: ItemLine, line: number, classes: Pick<Classes, 'get'>): Item | Refused {
  if (item.kind === 'object') return checkObject(item, line, classes);
  const made = { line, kind: item.kind, collection: systemCollections[item.kind], id: item.id, revision: undefined };
  const taken = docs[item.kind](item);
  return 'fault' in taken ? taken : { ...made, doc: taken.doc, itsClass: undefined };
}

function checkObject(item: ObjectLine, line: number, classes: Pick<Classes, 'get'>): Item | Refused {
  const { kind, class: code, id, revision, doc } = item;
  const itsClass = classes.get(code);
  if (!itsClass || itsClass.isStruct) return refuse('class', `there is no class ${code} here`);
  const own = classOf({ doc }, itsClass, classes);
  if (own !== itsClass) return refuse('class', `"class" is ${code}, but "_class" of the document means ${own.code}`);
  return { line, kind, collection: itsClass.collection, id, doc, revision, itsClass };
}

const docs: Readonly<Record<SystemLine['kind'], (item: SystemLine) => { readonly doc: Doc } | Refused>> = {
  account({ id, doc }) {
    const hash = doc['passwordHash'];
    if (!isIdentity(id)) return refuse('account', 'an account is named <user>@<type>');
    if (hash !== undefined && hash !== '' && !(typeof hash === 'string' && isKnownHash(hash))) {
      return refuse('account', 'this form of password hash is not known');
    }
    const { passwordHash, ...rest } = toDoc(toAccount({ id, doc }));
    return { doc: hash === undefined ? rest : { ...rest, passwordHash: passwordHash! } };
  },
  role: ({ doc }) =>
    arePermissions(doc['permissions']) ? { doc } : refuse('form', '"permissions" must be lists of words by resource'),
  access: ({ doc }) => ({ doc }),
  seed: ({ doc }) => ({ doc }),
};

const arePermissions = (value: Value | undefined): boolean =>
  isPlainDoc(value) &&
  Object.values(value).every(
    (list) => Array.isArray(list) && (list as readonly Value[]).every((word) => typeof word === 'string'),
  );
