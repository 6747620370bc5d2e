import { expect } from 'chai';
import { AppError } from '#errors.ts';
import { openRedisStores, type RedisStores, type RedisStoresOptions } from '#stores/redis/index.ts';
import { askRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { startSlowProxy } from '../support/servers/slow-proxy.ts';
import { createNotes } from './notes.ts';
import { until } from './until.ts';

const long = 600_000;
const timeout = 400;

/** How a call fails, and after how many milliseconds; undefined when it does not. */
async function failure(call: () => Promise<unknown>): Promise<{ error: AppError; after: number } | undefined> {
  const started = performance.now();
  try {
    await call();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error, after: performance.now() - started };
  }
}

describe('Redis away', () => {
  let server: RedisServer;
  let lines: string[];
  const opened: RedisStores[] = [];
  const open = async (more: Partial<RedisStoresOptions> = {}): Promise<RedisStores> => {
    const stores = await openRedisStores({
      url: server.url,
      prefix: 'away:',
      log: createNotes(lines),
      timeout,
      ...more,
    });
    opened.push(stores);
    return stores;
  };
  const works = async ({ state }: RedisStores) => (await failure(() => state.ping())) === undefined;
  beforeEach(async () => {
    server = await startRedis();
    lines = [];
  });
  afterEach(async () => {
    server.letGo();
    await Promise.all(opened.splice(0).map((stores) => stores.close()));
    await server.stop();
  });

  it('fails at once when it is killed, keeps what it acknowledged, and serves again without a restart', async () => {
    const stores = await open();
    const { state } = stores;
    const writes = Array.from({ length: 50 }, (_, n) => state.put(`k${n}`, 'v', long).then(() => n));
    await Promise.all(writes.slice(0, 25));
    await server.kill();
    const acknowledged = (await Promise.allSettled(writes)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    const [first, second] = [await failure(() => state.get('k1')), await failure(() => state.increment('n', 1, long))];
    for (const failed of [first, second]) {
      expect(failed?.error.code).to.equal('unavailable');
      expect(Number(failed?.error.headers['Retry-After'])).to.be.greaterThan(0);
      expect(failed?.after).to.be.lessThan(timeout);
    }
    await server.restart();
    await until(() => works(stores), 3_000);
    expect(acknowledged).to.include.members(Array.from({ length: 25 }, (_, n) => n));
    for (const n of acknowledged) expect(await state.get(`k${n}`)).to.equal('v');
    expect((await state.increment('n', 1, long)).count).to.equal(1); // what was refused did not happen later
  });

  it('fails in time when it hangs, then at once, without keeping what was asked meanwhile', async () => {
    const stores = await open();
    const { state } = stores;
    server.hold();
    const first = await failure(() => state.get('a'));
    expect(first?.error.code).to.equal('unavailable');
    expect(first?.after).to.be.within(timeout - 10, timeout + 300);
    await until(async () => (await failure(() => state.get('a')))!.after < 50, 4 * timeout);
    const refused = await Promise.all(Array.from({ length: 1000 }, () => failure(() => state.increment('n', 1, long))));
    expect(refused.map((one) => one?.error.code)).to.deep.equal(Array.from({ length: 1000 }, () => 'unavailable'));
    server.letGo();
    await until(() => works(stores), 3_000);
    expect((await state.increment('n', 1, long)).count).to.equal(1);
  });

  it('is told in the log once when it goes and once when it is back', async () => {
    const stores = await open();
    await server.kill();
    for (let n = 0; n < 100; n++) await failure(() => stores.state.get('a'));
    await new Promise((done) => setTimeout(done, 500)); // several tries to connect
    expect(lines).to.deep.equal(['Redis is away']);
    await server.restart();
    await until(() => lines.length > 1, 3_000);
    expect(lines).to.deep.equal(['Redis is away', 'Redis is back']);
  });

  it('serves while answers are late, and fails in time when they are too late', async () => {
    const proxy = await startSlowProxy(server.port);
    try {
      const stores = await open({ url: `redis://127.0.0.1:${proxy.port}` });
      const { state } = stores;
      proxy.delay = timeout / 2;
      await state.put('a', 'late', long);
      expect(await state.get('a')).to.equal('late');
      proxy.delay = 3 * timeout;
      for (let n = 0; n < 5; n++) {
        const failed = await failure(() => state.get('a'));
        expect(failed?.error.code).to.equal('unavailable');
        expect(failed?.after).to.be.lessThan(timeout + 300);
      }
      proxy.delay = 0;
      await until(() => works(stores), 6_000);
      expect(await state.get('a')).to.equal('late');
      await stores.close();
    } finally {
      await proxy.stop();
    }
  });

  describe('and the news', () => {
    /** What one subscriber hears, gaps included. */
    const listen = ({ bus }: RedisStores): string[] => {
      const heard: string[] = [];
      bus.subscribe('news', (message) => heard.push(message));
      bus.onGap(() => heard.push('gap'));
      return heard;
    };

    it('says that some may be lost when the connection broke, even for a moment, and goes on', async () => {
      const [here, there] = [await open(), await open()];
      const heard = listen(there);
      await here.bus.publish('news', 'a');
      await until(() => heard.length > 0, 1_000);
      await askRedis(server, 'CLIENT', 'KILL', 'TYPE', 'pubsub');
      await until(() => heard.includes('gap'), 1_000);
      heard.length = 0;
      await until(async () => {
        await here.bus.publish('news', 'b');
        return heard.includes('b');
      }, 3_000);
    });

    it('says so within a second, and again and again, while Redis hangs', async () => {
      const heard = listen(await open());
      await new Promise((done) => setTimeout(done, 300));
      expect(heard).to.deep.equal([]); // not without a reason
      server.hold();
      await until(() => heard.length >= 1, 1_000);
      await until(() => heard.length >= 5, 2_500);
    });

    it('tells everybody that some were lost when they could not be sent', async () => {
      const [here, there] = [await open(), await open()];
      const [own, other] = [listen(here), listen(there)];
      await askRedis(server, 'ACL', 'SETUSER', 'default', '-publish');
      expect((await failure(() => here.bus.publish('news', 'a')))?.error.code).to.equal('unavailable');
      expect(own).to.deep.equal(['a']); // those in this process hear it all the same
      expect(other).to.deep.equal([]);
      await askRedis(server, 'ACL', 'SETUSER', 'default', '+publish');
      await until(() => other.includes('gap'), 2_000);
    });
  });

  describe('at the start', () => {
    const start = (url: string, startTimeout: number) =>
      failure(() => openRedisStores({ url, prefix: 'x:', log: createNotes(lines), timeout, startTimeout }));

    it('is waited for, for a while, and named in words without the password', async () => {
      await server.kill();
      for (const url of [
        `redis://:hidden@127.0.0.1:${server.port}`,
        `redis-cluster://:hidden@127.0.0.1:${server.port}`,
      ]) {
        const failed = await start(url, 600);
        expect(failed?.after).to.be.within(550, 2_500);
        expect(failed?.error.publicText).to.match(
          new RegExp(`^Redis cannot be used at (cluster )?127.0.0.1:${server.port}: .*ECONNREFUSED`),
        );
        expect(failed?.error.publicText).to.not.contain('hidden');
      }
      const opening = open({ startTimeout: 5_000 });
      await server.restart();
      expect(await works(await opening)).to.equal(true);
    });

    it('ends at once when the password is wrong', async () => {
      await askRedis(server, 'CONFIG', 'SET', 'requirepass', 'right');
      for (const url of [`redis://:wrong@127.0.0.1:${server.port}`, `redis://127.0.0.1:${server.port}`]) {
        const failed = await start(url, 10_000);
        expect(failed?.error.publicText).to.match(/WRONGPASS|NOAUTH/);
        expect(failed?.after).to.be.lessThan(2_000);
      }
      await askRedis(
        { ...server, password: 'right' },
        'ACL',
        'SETUSER',
        'few',
        'on',
        '>right',
        '~*',
        '&*',
        '+@all',
        '-getdel',
      );
      const few = await start(`redis://few:right@127.0.0.1:${server.port}`, 10_000);
      expect(few?.error.publicText).to.contain('NOPERM');
      expect(await works(await open({ url: `redis://:right@127.0.0.1:${server.port}` }))).to.equal(true);
    });
  });
});
