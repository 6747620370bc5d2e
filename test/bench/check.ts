import { deepStrictEqual } from 'node:assert';
import { fill, type Plan } from './load/plan.ts';

const credentials = /^(authorization|auth-.*|cookie)$/;

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: () => unknown;
}

/** Sends the request of the plan once, with `n` in its places. */
export async function ask(plan: Plan, n: number): Promise<Answer> {
  const body = plan.body === undefined ? {} : { body: fill(plan.body, n, plan.slots) };
  const url = `${plan.url}${fill(plan.path, n, plan.slots)}`;
  const answer = await fetch(url, { method: plan.method, headers: plan.headers, redirect: 'manual', ...body });
  const text = await answer.text();
  return { status: answer.status, text, json: () => JSON.parse(text) as unknown };
}

/** Rejects unless the answer is 200; gives it. */
export async function expectAnswer(plan: Plan, n = 1): Promise<Answer> {
  const answer = await ask(plan, n);
  if (answer.status === 200) return answer;
  throw new Error(`${plan.method} ${plan.path} answers ${answer.status}: ${answer.text.slice(0, 300)}`);
}

/** Rejects unless the same request without credentials is answered 401. */
export async function expectRefusal(plan: Plan): Promise<void> {
  const headers = Object.fromEntries(Object.entries(plan.headers).filter(([name]) => !credentials.test(name)));
  const { status } = await ask({ ...plan, headers }, 1);
  if (status !== 401) throw new Error(`${plan.method} ${plan.path} answers ${status} without credentials`);
}

export function expectSame(found: unknown, wanted: unknown, what: string): void {
  deepStrictEqual(found, wanted, `${what}: the answer is ${JSON.stringify(found)?.slice(0, 300)}`);
}
