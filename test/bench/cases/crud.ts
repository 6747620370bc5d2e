import { demo } from '../../support/start-portico.ts';
import type { Bench } from '../bench.ts';
import { expectAnswer, expectRefusal, expectSame } from '../check.ts';
import type { Plan } from '../load/plan.ts';
import type { Pair } from '../measure/side.ts';
import type { PairCase } from './case.ts';
import { className, group, howMany, openObjects, perGroup, text } from './objects.ts';

interface Question {
  readonly method: string;
  /** After the address of the class. */
  readonly path: string;
  readonly body?: string;
  /** How many different requests there are. */
  readonly slots: number;
  /** Rejects unless both answers are what they should be. `n` stood in the places of both requests. */
  readonly check: (found: unknown, wanted: unknown, n: number) => void;
}

async function open(bench: Bench, { method, path, body, slots, check }: Question): Promise<Pair> {
  const { portico, bare } = await openObjects(bench);
  const content = body === undefined ? undefined : { 'content-type': 'application/json' };
  const request = { method, slots, ...(body === undefined ? {} : { body }) };
  const plan: Plan = {
    ...request,
    url: portico.url,
    path: `/rest/crud/${className}${path}`,
    headers: { ...content, ...demo },
  };
  const barePlan: Plan = { ...request, url: bare.url, path: `/objects${path}`, headers: { ...content } };
  return {
    portico: {
      pid: portico.pid,
      plan,
      async check() {
        await expectRefusal(plan);
        for (const n of [3, slots + 7]) {
          const [found, wanted] = [await expectAnswer(plan, n), await expectAnswer(barePlan, n)];
          check(found.json(), wanted.json(), n);
        }
      },
    },
    baseline: { pid: bare.pid, plan: barePlan, check: async () => void (await expectAnswer(barePlan)) },
  };
}

export const crudCases: readonly PairCase[] = [
  {
    name: 'crud-read',
    against: 'bare Koa + get by id + JSON',
    bar: 0.7,
    open: (bench) =>
      open(bench, {
        method: 'GET',
        path: '/bench-{slot}',
        slots: howMany,
        check(found, wanted, n) {
          expectSame(found, wanted, 'object');
          expectSame((found as { _id: string })._id, `bench-${n % howMany}`, 'id');
        },
      }),
  },
  {
    name: 'crud-update',
    against: 'bare Koa + get and update + JSON',
    bar: 0.6,
    open: (bench) =>
      open(bench, {
        method: 'PATCH',
        path: '/bench-{slot}',
        slots: howMany,
        body: JSON.stringify({ [text]: 'Changed {n}' }),
        check(found, wanted, n) {
          expectSame((found as Record<string, unknown>)[text], `Changed ${n}`, 'changed text');
          expectSame(Object.keys(found as object), Object.keys(wanted as object), 'attributes');
        },
      }),
  },
  {
    name: 'crud-list',
    against: 'bare Koa + select of 20 + JSON',
    bar: 0.7,
    open: (bench) =>
      open(bench, {
        method: 'GET',
        path: `?${group}=group%20{slot}&_sort=${text}&_count=20`,
        slots: howMany / perGroup,
        check(found, wanted) {
          expectSame(found, wanted, 'list');
          expectSame((found as readonly unknown[]).length, 20, 'length');
        },
      }),
  },
];
