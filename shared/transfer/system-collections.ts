import { rolesCollection } from '#access/roles.ts';
import { accessLedger } from '#accounts/access-files.ts';
import { accountCollection, toAccount, toDoc } from '#accounts/account-store.ts';
import { ledgerCollection } from '#data/ledger.ts';
import type { Doc, ObjectStore, Stored } from '#stores/object-store.ts';
import { without } from './attributes.ts';
import type { SystemLine } from './format.ts';
import { pagesOf } from './pages.ts';

type Source = Pick<ObjectStore, 'find' | 'get'>;

/** Where a kind of line lies. */
export const systemCollections: Readonly<Record<SystemLine['kind'], string>> = {
  role: rolesCollection,
  account: accountCollection,
  access: accessLedger,
  seed: ledgerCollection,
};

/** Roles, accounts, and which accounts of the access files were seen: so that a start after the move changes nothing. */
export async function* accessLines(objects: Source, hashes: boolean): AsyncGenerator<readonly SystemLine[]> {
  for await (const page of pagesOf(objects, rolesCollection)) {
    yield page.map(({ id, doc }) => ({ kind: 'role', id, doc }));
  }
  for await (const page of pagesOf(objects, accountCollection)) yield page.map((one) => accountLine(one, hashes));
  for await (const page of pagesOf(objects, accessLedger)) {
    // the other parts are digests of passwords, under the secret of this installation
    yield page.map(({ id, doc }) => ({ kind: 'access', id, doc: hashes ? doc : { print: doc['print'] ?? null } }));
  }
}

function accountLine(stored: Stored, hashes: boolean): SystemLine {
  const doc = toDoc(toAccount(stored));
  return { kind: 'account', id: stored.id, doc: hashes ? doc : without(doc, ['passwordHash']) };
}

/** Which seeds were imported, and whether the objects are as the import left them. */
export async function* seedLines(objects: Source): AsyncGenerator<readonly SystemLine[]> {
  for await (const page of pagesOf(objects, ledgerCollection)) {
    const revisions = await revisionsOf(page, objects);
    yield page.map(({ id, doc }) => ({
      kind: 'seed',
      id,
      doc: { hash: doc['hash'] ?? '', file: doc['file'] ?? '', intact: revisions.get(id) === doc['revision'] },
    }));
  }
}

/** Of the objects that ledger entries are about, by the entry's id; objects that are gone are left out. */
export async function revisionsOf(
  entries: readonly Pick<Stored, 'id'>[],
  objects: Pick<ObjectStore, 'get'>,
): Promise<ReadonlyMap<string, number>> {
  const revisions = new Map<string, number>();
  const places = entries.map(({ id }) => ({
    id,
    collection: id.slice(0, id.indexOf('/')),
    key: id.slice(id.indexOf('/') + 1),
  }));
  for (const [collection, group] of Map.groupBy(places, (one) => one.collection)) {
    const found = await objects.get(
      collection,
      group.map(({ key }) => key),
    );
    for (const [place, { id }] of group.entries()) {
      const revision = found[place]?.revision;
      if (revision !== undefined) revisions.set(id, revision);
    }
  }
  return revisions;
}

/** A ledger entry of the store that the object lies in now; 0: was changed or removed, so the seed stays out. */
export const toLedger = ({ doc }: Pick<SystemLine, 'doc'>, revision: number | undefined): Doc => ({
  hash: doc['hash'] ?? '',
  revision: doc['intact'] === true ? (revision ?? 0) : 0,
  file: doc['file'] ?? '',
});
