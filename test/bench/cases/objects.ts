import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { demo, type RunningPortico } from '../../support/start-portico.ts';
import type { Bench, RunningBaseline } from '../bench.ts';
import { expectAnswer, expectSame } from '../check.ts';
import type { Plan } from '../load/plan.ts';

export const className = 'class_string@demo';
export const howMany = 2_000;
const perRequest = 1_000;
/** So many objects share a value of `group`. */
export const perGroup = 40;
const json = { 'content-type': 'application/json' };

/** A list is filtered by this attribute, which has an index, and sorted by the other, which is what changes. */
export const group = 'string_text';
export const text = 'string_miltilinetext';

/** 1,000 objects in the form of the acceptor. */
export const batch = (from: number, textOf: (id: number) => string): readonly object[] =>
  Array.from({ length: perRequest }, (_, offset) => from + offset).map((id) => ({
    _id: `bench-${id}`,
    _class: className,
    _classVer: '',
    [text]: textOf(id),
    [group]: `group ${Math.floor(id / perGroup)}`,
    string_formattext: `<p>Formatted text of the object ${id}, of a <b>common</b> length</p>`,
  }));

export const acceptorPlan = (url: string, objects: readonly object[]): Plan => ({
  url,
  path: '/rest/acceptor',
  method: 'POST',
  headers: { ...json, ...demo },
  body: JSON.stringify(objects),
});

export interface Objects {
  readonly portico: RunningPortico & { readonly pid: number };
  readonly bare: RunningBaseline;
}

/** The indexes that Portico keeps where the objects lie, as SQL. */
function indexesOf({ data }: RunningPortico): readonly string[] {
  const db = new DatabaseSync(join(data, 'objects.db'), { readOnly: true });
  const holds = (number: unknown) =>
    db.prepare(`select 1 from objects_${Number(number)} where id = 'bench-0'`).get() !== undefined;
  const numbers = db.prepare('select number from collections').all();
  const { number = null } = numbers.find((row) => holds(row['number'])) ?? {};
  const rows = db.prepare('select definition from indexes where collection = ?').all(number);
  db.close();
  return rows.map((row) => String(row['definition']));
}

/** The same objects and indexes in both: the baseline stores what Portico answers, so that both send the same bytes. */
export async function openObjects(bench: Bench): Promise<Objects> {
  const portico = await bench.portico();
  const answers: object[] = [];
  for (let from = 0; from < howMany; from += perRequest) {
    await expectAnswer(
      acceptorPlan(
        portico.url,
        batch(from, (id) => `Text ${id}`),
      ),
    );
  }
  for (let offset = 0; offset <= howMany; offset += perRequest) {
    // the demo has objects of its own before these
    const path = `/rest/crud/${className}?_count=${perRequest}&_offset=${offset}&_sort=_id`;
    const page = await expectAnswer({ url: portico.url, path, method: 'GET', headers: demo });
    answers.push(...(page.json() as object[]).filter((one) => '_id' in one && String(one._id).startsWith('bench-')));
  }
  expectSame(answers.length, howMany, 'objects that were read back');
  const folder = await bench.folder();
  const file = join(folder, 'objects.json');
  await writeFile(file, JSON.stringify(answers));
  return {
    portico,
    bare: await bench.baseline('objects.ts', { folder, file, group, text, indexes: indexesOf(portico) }),
  };
}
