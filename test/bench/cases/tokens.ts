import { randomBytes } from 'node:crypto';
import { basic, demo, signIn, type RunningPortico } from '../../support/start-portico.ts';
import type { Bench } from '../bench.ts';
import { expectRefusal } from '../check.ts';
import type { Plan } from '../load/plan.ts';
import type { Pair } from '../measure/side.ts';
import type { PairCase } from './case.ts';
import { echoSide } from './echo.ts';

async function textOf(asked: Promise<Response>): Promise<string> {
  const answer = await asked;
  if (answer.status !== 200) throw new Error(`${answer.url} answers ${answer.status}: ${await answer.text()}`);
  return answer.text();
}

const serviceToken = (portico: RunningPortico): Promise<string> =>
  textOf(portico.fetch('/rest/token', { headers: demo }));

async function accessToken(portico: RunningPortico): Promise<string> {
  const cookie = await signIn(portico);
  const query = 'client_id=ext@system&response_type=code&state=1';
  const granted = await portico.fetch(`/oauth2/grant?${query}`, { method: 'POST', headers: { cookie } });
  const code = URL.parse(granted.headers.get('location') ?? '')?.searchParams.get('code') ?? '';
  const exchanged = portico.fetch('/oauth2/token', {
    method: 'POST',
    headers: basic('ext@system', 'portico-demo'),
    body: new URLSearchParams({ grant_type: 'authorization_code', code }),
  });
  return (JSON.parse(await textOf(exchanged)) as { access_token: string }).access_token;
}

interface Way {
  readonly service: string;
  readonly method: string;
  /** How many values of the state store the baseline reads. */
  readonly reads: number;
  readonly tokenOf: (portico: RunningPortico) => Promise<string>;
  readonly headers: (token: string) => Record<string, string>;
}

async function open(bench: Bench, { service, method, reads, tokenOf, headers }: Way): Promise<Pair> {
  const portico = await bench.portico();
  const bareToken = randomBytes(30).toString('base64url');
  const bare = await bench.baseline('state.ts', { folder: await bench.folder(), token: bareToken, reads });
  const wanted = { message: 'You are demo@local', user: 'demo@local', method, query: {}, body: null };
  const plan: Plan = {
    url: portico.url,
    path: `/rest/${service}`,
    method,
    headers: headers(await tokenOf(portico)),
  };
  const barePlan: Plan = { url: bare.url, path: '/echo', method, headers: headers(bareToken) };
  const [known, knownToo] = [echoSide(portico.pid, plan, wanted), echoSide(bare.pid, barePlan, wanted)];
  const check = async () => {
    await known.check();
    await expectRefusal(plan);
  };
  return { portico: { ...known, check }, baseline: knownToo };
}

export const tokenCases: readonly PairCase[] = [
  {
    name: 'token',
    against: 'bare Koa + one read of state',
    bar: 0.8,
    open: (bench) =>
      open(bench, {
        service: 'echo-token',
        method: 'GET',
        reads: 1,
        tokenOf: serviceToken,
        headers: (token) => ({ 'auth-token': token }),
      }),
  },
  {
    name: 'oauth',
    against: 'bare Koa + two reads of state',
    bar: 0.8,
    open: (bench) =>
      open(bench, {
        service: 'echo-oauth',
        method: 'POST',
        reads: 2,
        tokenOf: accessToken,
        headers: (token) => ({ authorization: `Bearer ${token}` }),
      }),
  },
];
