import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { until } from '../contracts/until.ts';
import { demo, basic, signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';
import { serverUrl } from '../support/servers/index.ts';
import { dropDatabase } from '../support/servers/mongo-database.ts';
import { startRedis, type RedisServer } from '../support/servers/redis.ts';

const timeout = 500;
const patience = 2 * timeout + 500; // a call may ask twice, and this machine is busy

describe('a Portico whose Redis is away', () => {
  let redis: RedisServer;
  let portico: RunningPortico;
  let mongo: string;
  let cookie: string;
  let token: string;
  before(async function test() {
    this.timeout(60_000);
    const database = new URL(serverUrl('MONGO_URL'));
    database.pathname = `/portico_chaos_${randomBytes(4).toString('hex')}`;
    mongo = database.href;
    redis = await startRedis({ password: 'secret' });
    const env = {
      MONGO_URL: mongo,
      REDIS_URL: redis.url,
      REDIS_TIMEOUT: String(timeout),
      AUTH_REMEMBER: '0', // else a password that was right a moment ago needs no Redis
      PORTICO_SECRET: randomBytes(32).toString('hex'),
    };
    portico = await startPortico({ env });
    cookie = await signIn(portico);
    token = await (await portico.fetch('/rest/token', { headers: demo })).text();
  });
  after(async () => {
    redis.letGo();
    await portico.stop();
    await redis.stop();
    await dropDatabase(mongo);
  });

  const calls = {
    'a service token': () => portico.fetch('/rest/echo-token', { headers: { 'auth-token': token } }),
    'a session, through the gateway': () =>
      portico.fetch('/registry-ajax-api/rest/echo-token', { headers: { cookie } }),
    'a right password': () => portico.fetch('/rest/simple', { headers: basic('editor@local', 'portico-demo') }),
    'a wrong password': () => portico.fetch('/rest/simple', { headers: basic('editor@local', 'wrong') }),
    'an unknown bearer token': () =>
      portico.fetch('/rest/echo-oauth', { method: 'POST', headers: { authorization: 'Bearer nonsense' } }),
    'a sign-in': () =>
      portico.fetch('/auth', {
        method: 'POST',
        body: new URLSearchParams({ username: 'demo@local', password: 'portico-demo' }),
      }),
  } as const;
  const usual = {
    'a service token': 200,
    'a session, through the gateway': 200,
    'a right password': 200,
    'a wrong password': 401,
    'an unknown bearer token': 401,
    'a sign-in': 302,
  };
  const statuses = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(calls).map(async ([name, call]) => [name, (await call()).status] as const)),
    );

  for (const [how, leave, comeBack] of [
    ['killed', () => redis.kill(), () => redis.restart()],
    ['hanging', async () => redis.hold(), async () => redis.letGo()],
  ] as const) {
    it(`lets nobody in, answers 503 with Retry-After in time, and serves again without a restart: ${how}`, async function test() {
      this.timeout(30_000);
      expect(await statuses()).to.deep.equal(usual);
      await leave();
      for (let round = 0; round < 2; round++) {
        for (const [name, call] of Object.entries(calls)) {
          const started = performance.now();
          const answer = await call();
          expect(answer.status, name).to.equal(503);
          expect(Number(answer.headers.get('retry-after')), name).to.be.within(1, 60);
          expect(performance.now() - started, name).to.be.lessThan(patience);
          expect(await answer.text(), name).to.not.match(/redis|127\.0\.0\.1|socket/i);
          expect(answer.headers.getSetCookie(), name).to.deep.equal([]);
        }
      }
      expect((await portico.fetch('/rest/echo')).status).to.equal(200); // needs no Redis
      expect((await portico.fetch('/healthz')).status).to.equal(200);
      expect((await portico.fetch('/readyz')).status).to.equal(503);
      await comeBack();
      await until(async () => (await portico.fetch('/readyz')).status === 200, 5_000);
      expect(await statuses()).to.deep.equal(usual); // the session and the token of before, too
    });
  }

  it('tells it in the log once each time it goes and comes', () => {
    const told = portico.output().match(/Redis is (away|back)/g);
    expect(told).to.deep.equal(['Redis is away', 'Redis is back', 'Redis is away', 'Redis is back']);
    expect(portico.output()).to.not.contain('secret@');
  });
});
