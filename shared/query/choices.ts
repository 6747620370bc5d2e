import { AppError } from '#errors.ts';
import type { Choice, Class, Classes, Property } from '#meta/class.ts';
import { none, type Filter } from './filter.ts';
import { matches, type Candidate, type Reached } from './matches.ts';
import { parseFilter } from './parse-filter.ts';

/** What may be chosen for an attribute with a selection list: of a MATRIX, the union of the rows that hold for the object. */
export function choicesFor(
  property: Property,
  itsClass: Class,
  classes: Pick<Classes, 'get'>,
  object: Candidate,
  reached?: Reached,
): readonly Choice[] {
  const rows = property.selection?.rows ?? [];
  const holding = rows.filter(
    ({ when }) => when === undefined || matches(conditionOf(when, itsClass, classes), object, reached),
  );
  const choices = new Map(holding.flatMap((row) => row.choices.map((choice) => [choice.key, choice])));
  return [...choices.values()];
}

/** A condition that cannot be read never holds; `selectionFaults` tells of it at start. */
function conditionOf(when: unknown, itsClass: Class, classes: Pick<Classes, 'get'>): Filter {
  const read = tryParse(when, itsClass, classes);
  return 'fault' in read ? none : read;
}

/** What is wrong with the conditions in the selection lists of classes, for warnings at start. */
export const selectionFaults = (classes: Pick<Classes, 'get' | 'all'>): readonly string[] =>
  classes.all().flatMap((itsClass) =>
    [...itsClass.properties.values()].flatMap(({ name, selection }) =>
      (selection?.rows ?? []).flatMap(({ when }) => {
        const read = when === undefined ? undefined : tryParse(when, itsClass, classes);
        return read && 'fault' in read ? [`${itsClass.code}, selection list of ${name}: ${read.fault}`] : [];
      }),
    ),
  );

function tryParse(when: unknown, itsClass: Class, classes: Pick<Classes, 'get'>): Filter | { readonly fault: string } {
  try {
    return parseFilter(when, itsClass, classes);
  } catch (error) {
    if (error instanceof AppError) return { fault: error.message };
    throw error;
  }
}

/** What is wrong with a value (as in JSON) of an attribute with a selection list, or undefined. Null and `""` are left to `nullable`. */
export function choiceFault(json: unknown, choices: readonly Choice[]): string | undefined {
  const keys = new Set(choices.map(({ key }) => key));
  const values: readonly unknown[] = Array.isArray(json) ? json : [json];
  const wrong = values.find(
    (value) => value !== null && value !== undefined && value !== '' && !keys.has(asText(value)),
  );
  return wrong === undefined ? undefined : `must be one of ${[...keys].slice(0, 20).join(', ')}`;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
