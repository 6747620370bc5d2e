import { counterOf } from '#data/plan.ts';
import type { Property } from '#meta/class.ts';
import { isCounted } from '#meta/default-value.ts';
import type { Class } from '#meta/class.ts';
import type { ObjectStore } from '#stores/object-store.ts';
import type { Item } from './check-item.ts';

/** Lets counters go on above the numbers that imported objects have. */
export function createCounterRaiser(objects: Pick<ObjectStore, 'raise'>): (items: readonly Item[]) => Promise<void> {
  const counted = new Map<Class, readonly Property[]>();
  const reached = new Map<string, number>();
  const countedOf = (itsClass: Class): readonly Property[] => {
    const known = counted.get(itsClass) ?? [...itsClass.properties.values()].filter((one) => isCounted(one));
    counted.set(itsClass, known);
    return known;
  };
  return async (items) => {
    const highest = new Map<string, number>();
    for (const { itsClass, doc } of items) {
      for (const property of itsClass ? countedOf(itsClass) : []) {
        const stored = doc[property.name] ?? null;
        const number = stored === null ? 0 : Math.floor(Number(property.type.toJson(stored, property)));
        const counter = counterOf(itsClass!, property);
        if (!Number.isSafeInteger(number) || number <= (reached.get(counter) ?? 0)) continue;
        highest.set(counter, Math.max(highest.get(counter) ?? 0, number));
      }
    }
    for (const [counter, floor] of highest) {
      await objects.raise(counter, floor);
      reached.set(counter, floor);
    }
  };
}
