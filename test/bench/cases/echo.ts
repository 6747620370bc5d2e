import { demo } from '../../support/start-portico.ts';
import { expectAnswer, expectRefusal, expectSame } from '../check.ts';
import type { Plan } from '../load/plan.ts';
import type { Side } from '../measure/side.ts';
import type { PairCase } from './case.ts';

const nobody = { message: 'Hello', user: null, method: 'GET', query: {}, body: null };

const get = (url: string, path: string, headers: Record<string, string> = {}): Plan => ({
  url,
  path,
  headers,
  method: 'GET',
});

export const echoSide = (pid: number, plan: Plan, wanted: object): Side => ({
  pid,
  plan,
  check: async () => expectSame((await expectAnswer(plan)).json(), wanted, plan.path),
});

export const echoCases: readonly PairCase[] = [
  {
    name: 'echo',
    against: 'bare Koa + router, JSON',
    bar: 0.8,
    async open(bench) {
      const [portico, bare] = [await bench.portico(), await bench.baseline('echo.ts')];
      return {
        portico: echoSide(portico.pid, get(portico.url, '/rest/echo'), nobody),
        baseline: echoSide(bare.pid, get(bare.url, '/echo'), nobody),
      };
    },
  },
  {
    name: 'default',
    against: 'echo, mode none',
    bar: 0.7,
    async open(bench) {
      const { pid, url } = await bench.portico();
      const plan = get(url, '/rest/simple', demo);
      const known = echoSide(pid, plan, { ...nobody, message: 'You are demo@local', user: 'demo@local' });
      const check = async () => {
        await known.check();
        await expectRefusal(plan);
      };
      return { portico: { ...known, check }, baseline: echoSide(pid, get(url, '/rest/echo'), nobody) };
    },
  },
];
