// A process of its own: the order comes as JSON on stdin, the result goes as JSON to stdout.
import { json } from 'node:stream/consumers';
import autocannon from 'autocannon';
import { fill, isVarying, type LoadResult, type Order } from './plan.ts';

const { plan, connections, seconds, from } = (await json(process.stdin)) as Order;
const { method, headers, slots } = plan;
let n = from;

const first = { method, headers, path: fill(plan.path, n, slots), body: plan.body && fill(plan.body, n, slots) };
const next = (): typeof first => {
  n += 1;
  return { ...first, path: fill(plan.path, n, slots), body: plan.body && fill(plan.body, n, slots) };
};
const request = isVarying(plan) ? { ...first, setupRequest: next } : first;

const result = await autocannon({ url: plan.url, connections, duration: seconds, timeout: 10, requests: [request] });
const answer: LoadResult = {
  answered: result['2xx'],
  failed: result.non2xx + result.errors + result.timeouts,
  seconds: result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
};
process.stdout.write(JSON.stringify(answer));
