import { expectAnswer, expectRefusal, expectSame } from '../check.ts';
import type { PairCase } from './case.ts';
import { acceptorPlan, batch, openObjects, text } from './objects.ts';

/** 1,000 objects that exist, each with a new text. */
export const acceptorCases: readonly PairCase[] = [
  {
    name: 'acceptor',
    against: 'bare Koa + one transaction',
    bar: 0.5,
    objects: 1_000,
    async open(bench) {
      const { portico, bare } = await openObjects(bench);
      const objects = batch(0, (id) => `Stored {n} ${id}`);
      const plan = { ...acceptorPlan(portico.url, objects), connections: 4 };
      const barePlan = { ...plan, url: bare.url, path: '/objects', headers: { 'content-type': 'application/json' } };
      const check = async (asked: typeof plan) => {
        const stored = (await expectAnswer(asked, 5)).json() as readonly Record<string, unknown>[];
        expectSame(stored.length, objects.length, 'length');
        expectSame(stored[999]?.[text], 'Stored 5 999', 'text of the last object');
      };
      return {
        portico: {
          pid: portico.pid,
          plan,
          async check() {
            await expectRefusal(plan);
            await check(plan);
          },
        },
        baseline: { pid: bare.pid, plan: barePlan, check: () => check(barePlan) },
      };
    },
  },
];
