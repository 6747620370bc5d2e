import { all, type Filter } from '#query/filter.ts';
import type { ObjectStore, Stored } from '#stores/object-store.ts';

const pageSize = 500;

/** All objects of a collection that fulfil the filter, by id, a page in memory at a time. */
export async function* pagesOf(
  objects: Pick<ObjectStore, 'find'>,
  collection: string,
  filter: Filter = all,
): AsyncGenerator<readonly Stored[]> {
  for (let after: string | undefined; ;) {
    const page = await objects.find(collection, { filter, count: pageSize, ...(after === undefined ? {} : { after }) });
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    after = page.at(-1)!.id;
  }
}
