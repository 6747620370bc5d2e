import type { ObjectStore } from '#stores/object-store.ts';
import { findingContract } from './object-store-finding.ts';
import { filtersContract } from './object-store-filters.ts';
import { sharingContract } from './object-store-sharing.ts';
import { writingContract } from './object-store-writing.ts';
import type { Place } from './place.ts';

export interface Opened {
  readonly store: ObjectStore;
  readonly place: Place<ObjectStore>;
}

/** What callers may rely on, of any adapter. */
export function objectStoreContract(adapter: string, makePlace: () => Promise<Place<ObjectStore>>): void {
  describe(`ObjectStore on ${adapter}`, () => {
    let place: Place<ObjectStore>;
    let store: ObjectStore;
    beforeEach(async () => {
      place = await makePlace();
      store = await place.open();
    });
    afterEach(async () => {
      await store.close();
      await place.remove();
    });
    const opened = (): Opened => ({ store, place });

    describe('writing', () => writingContract(opened));
    describe('finding', () => findingContract(opened));
    describe('filters', () => filtersContract(opened));
    describe('sharing', () => sharingContract(opened));
  });
}
