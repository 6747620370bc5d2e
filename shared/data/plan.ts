import type { Class, Property } from '#meta/class.ts';
import { isCounted } from '#meta/default-value.ts';

/** What writing objects of a class has to look at, told once per class. */
export interface ClassPlan {
  /** References and collections. */
  readonly linked: readonly Property[];
  /** Attributes that a new object gets without asking: from a counter, from the type, from a default. */
  readonly counted: readonly Property[];
  readonly assigned: readonly Property[];
  readonly defaults: readonly Property[];
  readonly required: readonly Property[];
  /** Selection lists whose choices hang on other attributes. */
  readonly dependent: readonly Property[];
  readonly cached: readonly Property[];
  /** Filled by the repository, whatever is sent. */
  readonly tracked: ReadonlySet<string>;
}

/** Plans by class, each made at first use. */
export function createPlans(): (itsClass: Class) => ClassPlan {
  const plans = new Map<Class, ClassPlan>();
  return (itsClass) => {
    let plan = plans.get(itsClass);
    if (!plan) plans.set(itsClass, (plan = planOf(itsClass)));
    return plan;
  };
}

function planOf({ properties, trackers }: Class): ClassPlan {
  const all = [...properties.values()];
  const kept = all.filter((one) => !one.formula && one.backRef === undefined);
  const tracked = new Set(Object.values(trackers).filter((name) => name !== undefined));
  return {
    linked: all.filter((one) => one.target !== undefined && !one.formula),
    counted: kept.filter((one) => isCounted(one)),
    assigned: kept.filter((one) => one.autoassigned && 'assign' in one.type),
    defaults: kept.filter((one) => one.defaultValue !== undefined && one.defaultValue !== null),
    required: kept.filter((one) => !one.nullable && one.type.name !== 'collection' && !tracked.has(one.name)),
    dependent: kept.filter((one) => one.selection?.rows.some((row) => row.when !== undefined) === true),
    cached: all.filter((one) => one.formula && one.cached),
    tracked,
  };
}

/** Numbers of autoassigned attributes: one counter for the whole hierarchy. */
export const counterOf = (itsClass: Class, property: Property): string => `${itsClass.collection}.${property.name}`;
