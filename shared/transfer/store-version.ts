import { AppError } from '#errors.ts';
import type { ObjectStore } from '#stores/object-store.ts';

/** Of what this program keeps in the stores. A change of the form is a new one, with a step that leads to it. */
export const storeVersion = 1;

/** Brings what is stored to a version from the one before. Killed in the middle, it must be able to run again. */
export interface UpgradeStep {
  readonly to: number;
  /** For the person who runs it. */
  readonly name: string;
  run(objects: ObjectStore): Promise<void>;
}

/** In order. None yet: there was only one version. */
export const upgradeSteps: readonly UpgradeStep[] = [];

const collection = '_portico';
const id = 'version';

type VersionStore = Pick<ObjectStore, 'get' | 'write'>;

interface Known {
  readonly version: number;
  readonly revision: number;
}

/** Undefined: nothing has been kept in these stores yet. */
async function readVersion(objects: Pick<ObjectStore, 'get'>): Promise<Known | undefined> {
  const [stored] = await objects.get(collection, [id]);
  return stored && { version: Number(stored.doc['version']), revision: stored.revision };
}

/** Marks new stores with this program's version; stores of another one are `unavailable`. Comes before all other use. */
export async function checkStoreVersion(objects: VersionStore, known = storeVersion): Promise<void> {
  let found = await readVersion(objects);
  if (!found) {
    await objects.write([{ op: 'insert', collection, id, doc: { version: known } }], { atomic: true });
    found = await readVersion(objects); // another process may have been faster
  }
  const version = found?.version ?? known;
  if (version > known) throw newer(version, known);
  if (version < known) {
    throw refuse(
      `The stores have version ${version}, this Portico needs ${known}: stop all processes, make a backup, then run portico upgrade`,
    );
  }
}

const refuse = (publicText: string): AppError => new AppError('unavailable', publicText, { publicText });

const newer = (version: number, known: number): AppError =>
  refuse(
    `The stores were written by a newer Portico (version ${version}, this one knows ${known}): start the newer one, or a backup made before the upgrade`,
  );

export interface Upgraded {
  readonly from: number;
  readonly to: number;
  /** Names of the steps that ran, or would. */
  readonly steps: readonly string[];
}

/** Runs the steps that are missing, each noted when it is done. A newer store is `unavailable`. */
export async function upgradeStore(
  objects: ObjectStore,
  { dryRun, steps = upgradeSteps, to = storeVersion }: { dryRun: boolean; steps?: typeof upgradeSteps; to?: number },
): Promise<Upgraded> {
  const found = await readVersion(objects);
  if (!found) {
    if (!dryRun) await checkStoreVersion(objects, to);
    return { from: to, to, steps: [] };
  }
  if (found.version > to) throw newer(found.version, to);
  const due = steps.filter((step) => step.to > found.version && step.to <= to);
  if (!dryRun) {
    let { revision: expect } = found;
    for (const step of due) {
      await step.run(objects);
      const write = { op: 'update', collection, id, doc: { version: step.to }, expect } as const;
      const [written] = await objects.write([write], { atomic: true });
      if (!written || 'clash' in written) throw refuse('Another process upgrades these stores at the same time');
      expect = written.revision;
    }
  }
  return { from: found.version, to: due.at(-1)?.to ?? found.version, steps: due.map(({ name }) => name) };
}
