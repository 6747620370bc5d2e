import { signIn } from '../../support/start-portico.ts';
import type { Bench } from '../bench.ts';
import { expectAnswer, expectRefusal, expectSame } from '../check.ts';
import type { Plan } from '../load/plan.ts';
import type { Pair } from '../measure/side.ts';
import type { PairCase } from './case.ts';

const json = { 'content-type': 'application/json' };

/** Both forward to the same service: a body goes there, one of the same length comes back. */
async function open(bench: Bench, bytes: number): Promise<Pair> {
  const behind = await bench.behind('upstream.ts', { bytes });
  const portico = await bench.portico({ env: { REST_INTERNAL_URL: behind.url } });
  const bare = await bench.baseline('proxy.ts', { target: behind.url });
  const request = { method: 'POST', body: JSON.stringify({ asked: 'q'.repeat(bytes - 12) }) };
  const plan: Plan = {
    ...request,
    url: portico.url,
    path: '/registry-ajax-api/rest/echo-token',
    headers: { ...json, cookie: await signIn(portico) },
  };
  const barePlan: Plan = { ...request, url: bare.url, path: '/rest/echo-token', headers: json };
  const check = async (asked: Plan) =>
    expectSame((await expectAnswer(asked)).text.length, bytes, `bytes of the answer of ${asked.path}`);
  return {
    portico: {
      pid: portico.pid,
      plan,
      behind: behind.pid,
      async check() {
        await check(plan);
        await expectRefusal(plan);
      },
    },
    baseline: { pid: bare.pid, plan: barePlan, behind: behind.pid, check: () => check(barePlan) },
  };
}

export const gatewayCases: readonly PairCase[] = [
  { name: 'gateway-1k', against: 'bare http-proxy', bar: 0.85, open: (bench) => open(bench, 1_000) },
  { name: 'gateway-1m', against: 'bare http-proxy', bar: 0.85, open: (bench) => open(bench, 1_000_000) },
];
