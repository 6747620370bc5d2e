import { expect } from 'chai';
import { AppError } from '#errors.ts';
import { silentLog } from '#log.ts';
import { openRedisStores, type RedisStores, type RedisStoresOptions } from '#stores/redis/index.ts';
import { makeCertificate } from '../support/servers/certificate.ts';
import { askRedis, startRedis, startRedisCluster, startRedisSentinel } from '../support/servers/redis.ts';
import { createNotes } from './notes.ts';
import { until } from './until.ts';

const long = 600_000;
const timeout = 500;

describe('Redis of every form', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  const keep = <T extends { stop(): Promise<void> }>(server: T): T => {
    ends.push(() => server.stop());
    return server;
  };
  const open = async (url: string, more: Partial<RedisStoresOptions> = {}) => {
    const stores = await openRedisStores({ url, prefix: 'forms:', log: silentLog, timeout, ...more });
    ends.push(() => stores.close());
    return stores;
  };
  /** Whether writing and hearing news work, as one answer. */
  const serves = async ({ state, bus }: RedisStores, key = 'a'): Promise<boolean> => {
    let heard = false;
    const end = bus.subscribe('news', () => (heard = true));
    try {
      await state.ping();
      await state.put(key, 'v', long);
      await bus.publish('news', 'x');
      return heard && (await state.get(key)) === 'v';
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') return false;
      throw error;
    } finally {
      end();
    }
  };

  it('keeps to keys and channels under its prefix, unseen by another installation on the same server', async () => {
    const server = keep(await startRedis());
    const [mine, theirs] = [await open(server.url, { prefix: 'mine:' }), await open(server.url, { prefix: 'theirs:' })];
    const heard: string[] = [];
    theirs.bus.subscribe('news', (message) => heard.push(message));
    await mine.state.put('a', '1', long);
    await mine.state.increment('b', 1, long);
    await mine.state.addMember('c', 'm', long);
    await mine.bus.publish('news', 'x');
    await theirs.bus.publish('news', 'y');
    expect([await theirs.state.get('a'), await theirs.state.members('c')]).to.deep.equal([undefined, []]);
    expect((await theirs.state.increment('b', 1, long)).count).to.equal(1);
    expect(heard).to.deep.equal(['y']);
    const keys = (await askRedis(server, 'KEYS', '*')) as string[];
    expect(keys.filter((key) => !/^(mine|theirs):state:[abc]$/.test(key))).to.deep.equal([]);
    for (const key of keys) expect(await askRedis(server, 'PTTL', key), key).to.be.greaterThan(0); // nothing stays for ever
  });

  it('speaks TLS to a server whose authority it was given, and to no other', async () => {
    const made = await makeCertificate();
    ends.push(() => made.remove());
    const files = [
      '--tls-cert-file',
      made.certificate,
      '--tls-key-file',
      made.key,
      '--tls-ca-cert-file',
      made.certificate,
    ];
    const listen = (port: number) => ['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no', ...files];
    const { port } = keep(await startRedis({ password: 'pw', listen }));
    const url = `rediss://:pw@127.0.0.1:${port}`;
    expect(await serves(await open(url, { ca: made.ca }))).to.equal(true);
    const refused = await open(url, { startTimeout: 500 }).catch((error: unknown) => error);
    expect(refused)
      .to.be.instanceOf(AppError)
      .with.property('publicText')
      .that.matches(/self-signed|unable to verify/);
  });

  it('follows the master that sentinels name, with a password', async function test() {
    this.timeout(60_000);
    const sentinel = keep(await startRedisSentinel('secret'));
    const stores = await open(sentinel.url);
    const gaps: number[] = [];
    stores.bus.onGap(() => gaps.push(1));
    await stores.state.put('kept', 'v', long);
    expect(await serves(stores)).to.equal(true);
    await askRedis({ ...sentinel.master, password: 'secret' }, 'WAIT', '1', '1000');
    await sentinel.master.kill();
    expect(await serves(stores)).to.equal(false);
    await until(() => serves(stores), 30_000);
    expect(await stores.state.get('kept')).to.equal('v');
    expect(gaps.length).to.be.greaterThan(0);
  });

  it('serves on when a master of the cluster is gone and its replica takes over, wherever it was', async function test() {
    this.timeout(90_000);
    const cluster = keep(await startRedisCluster({ replicas: 1 }));
    const lines: string[] = [];
    const [stores, others] = [await open(cluster.url, { log: createNotes(lines) }), await open(cluster.url)];
    const keys = Array.from({ length: 60 }, (_, n) => `k${n}`);
    await Promise.all(keys.map((key) => stores.state.put(key, key, long)));
    await new Promise((done) => setTimeout(done, 500)); // the replicas have them
    const [victim] = cluster.nodes;
    await victim!.kill();
    const outcomes = await Promise.allSettled(keys.map((key) => stores.state.get(key)));
    const codes = outcomes.flatMap((one) => (one.status === 'rejected' ? [(one.reason as AppError).code] : []));
    expect(codes.length).to.be.within(1, keys.length - 1); // a third of them
    expect(new Set(codes)).to.deep.equal(new Set(['unavailable']));
    await until(async () => (await serves(stores)) && (await serves(others)), 30_000);
    expect(await Promise.all(keys.map((key) => stores.state.get(key)))).to.deep.equal(keys);
    await until(() => lines.length === 2, 5_000);
    expect(lines).to.deep.equal(['Redis is away', 'Redis is back']);
    let heard = false;
    others.bus.subscribe('after', () => (heard = true));
    await stores.bus.publish('after', 'x');
    await until(() => heard, 1_000);
  });

  it('fails in time for keys of a node that hangs, serves the others, and all of them when it is let go', async () => {
    const cluster = keep(await startRedisCluster());
    const stores = await open(`redis-cluster://127.0.0.1:${cluster.nodes[1]!.port}`); // finds the rest
    const keys = Array.from({ length: 30 }, (_, n) => `k${n}`);
    await Promise.all(keys.map((key) => stores.state.put(key, key, long)));
    cluster.nodes[0]!.hold();
    const started = performance.now();
    const outcomes = await Promise.allSettled(keys.map((key) => stores.state.get(key)));
    expect(performance.now() - started).to.be.lessThan(timeout + 300);
    const values = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(values.length).to.be.within(1, keys.length - 1);
    expect(await stores.state.ping().catch((error: AppError) => error.code)).to.equal('unavailable');
    const lost = keys.find((_key, n) => outcomes[n]?.status === 'rejected')!;
    await until(async () => {
      const asked = performance.now();
      await stores.state.get(lost).catch(() => {});
      return performance.now() - asked < 50; // the connection was given up
    }, 8 * timeout);
    cluster.nodes[0]!.letGo();
    await until(() => serves(stores), 10_000);
    expect(await Promise.all(keys.map((key) => stores.state.get(key)))).to.deep.equal(keys);
  });
});
