import { randomUUID } from 'node:crypto';
import { basic } from '../support/start-portico.ts';
import type { Origin } from './origin.ts';

export interface LoadResult {
  /** Answers by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** What got no answer, or one that was not accepted: what was asked, and what came. */
  readonly failures: readonly string[];
}

type Step = { readonly path: string; readonly method: string; readonly body?: string };

const headers = { ...basic('demo@local', 'portico-demo'), 'content-type': 'application/json' };

/** An object made, changed, read and listed: three in five are no safe repetitions, so that no proxy may repeat them. */
function round(): readonly Step[] {
  const id = `load-${randomUUID()}`;
  const path = `/rest/crud/class_string@demo/${id}`;
  const object = { _id: id, _class: 'class_string@demo', _classVer: '', string_text: id };
  return [
    { path: '/rest/acceptor', method: 'POST', body: JSON.stringify([object]) },
    { path, method: 'PATCH', body: '{"string_miltilinetext":"changed"}' },
    { path, method: 'GET' },
    { path: '/rest/crud/class_string@demo?_count=5', method: 'GET' },
    { path: '/rest/string-list/', method: 'POST', body: JSON.stringify({ string_text: id }) },
  ];
}

/** Calls from so many at once until it is stopped; `accepts` says which answers are no failures. */
export function startLoad(origin: Origin, callers: number, accepts: (status: number) => boolean) {
  const answers: Record<string, number> = {};
  const failures: string[] = [];
  const until = new AbortController();
  const ask = async ({ path, method, body }: Step): Promise<void> => {
    const what = `${method} ${path.replace(/load-.*/, 'load')}`;
    try {
      const answer = await origin.call(path, { method, headers, ...(body === undefined ? {} : { body }) });
      answers[answer.status] = (answers[answer.status] ?? 0) + 1;
      if (!accepts(answer.status)) failures.push(`${what}: ${answer.status} ${answer.body.slice(0, 200)}`);
    } catch (error) {
      failures.push(`${what}: ${(error as Error).message}`);
    }
  };
  const caller = async () => {
    while (!until.signal.aborted) for (const step of round()) await ask(step);
  };
  const running = Promise.all(Array.from({ length: callers }, caller));
  return {
    async stop(): Promise<LoadResult> {
      until.abort();
      await running;
      return { answers, failures };
    },
  };
}
