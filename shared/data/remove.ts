import { AppError } from '#errors.ts';
import type { Class, Classes, Loaded } from '#meta/class.ts';
import type { ObjectStore } from '#stores/object-store.ts';
import { classOf } from './graph.ts';
import type { Sight } from './sight.ts';

const mostTries = 25;

/** Removes one object, with the right to delete on its own class. Objects that refer to it keep its key. */
export function createRemover(objects: Pick<ObjectStore, 'get' | 'write'>, classes: Pick<Classes, 'get'>) {
  return async (itsClass: Class, id: string, expect: number | undefined, sight: Sight): Promise<Loaded> => {
    for (let tries = 0; tries < mostTries; tries++) {
      const [stored] = await objects.get(itsClass.collection, [id]);
      const own = stored ? classOf(stored, itsClass, classes) : itsClass;
      const object = { id, itsClass: own, doc: stored?.doc ?? {} };
      const [allowed] = await sight.allows([{ permission: 'delete', object }]);
      if (!allowed) throw new AppError('forbidden', `no delete on ${own.code} ${id}`);
      if (!stored || !itsClass.family.includes(own.code)) throw new AppError('not_found', `${itsClass.code} ${id}`);
      if (expect !== undefined && stored.revision !== expect) throw new AppError('stale', `${own.code} ${id}`);
      const write = { op: 'delete', collection: itsClass.collection, id, expect: stored.revision } as const;
      const [written] = await objects.write([write], { atomic: true });
      if (written && !('clash' in written)) return object;
    }
    throw new AppError('conflict', `${itsClass.code} ${id} kept changing`);
  };
}
