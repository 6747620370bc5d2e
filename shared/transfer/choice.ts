import type { Classes } from '#meta/class.ts';
import type { Item } from './check-item.ts';
import type { ContentLine } from './format.ts';
import type { ImportOptions } from './import-options.ts';
import { choose, createJudge } from './selection.ts';

/** Which lines of an export are taken. */
export interface Choice {
  item(item: Item): boolean;
  content(line: Pick<ContentLine, 'collection'>): boolean;
  counter(name: string): boolean;
}

/** Chosen classes mean objects alone. */
export function createChoice(options: ImportOptions, classes: Pick<Classes, 'all' | 'get'>): Choice {
  const isWhole = options.classes === undefined && options.filter === undefined;
  const judge = createJudge(options, classes);
  const collections = choose(options, classes).map(({ collection }) => collection);
  return {
    item(item) {
      if (item.kind === 'object') return isWhole || judge(item.collection, item);
      return isWhole && (options.accounts || item.kind === 'seed');
    },
    content: ({ collection }) => isWhole || collections.includes(collection),
    counter: (name) => isWhole || collections.some((collection) => name.startsWith(`${collection}.`)),
  };
}
