import { expect } from 'chai';
import { Readable } from 'node:stream';
import { AppError } from '#errors.ts';
import { silentLog, type Log } from '#log.ts';
import { openMongoStores, type MongoOptions, type MongoStores } from '#stores/mongo/index.ts';
import { dropDatabase, withDatabaseOf } from '../support/servers/mongo-database.ts';
import { startMongo, type MongoServer } from '../support/servers/mongo.ts';
import { serverUrl } from '../support/servers/index.ts';
import { freePort } from '../support/start-portico.ts';
import { withDatabase } from './mongo-place.ts';
import { thrown } from './thrown.ts';
import { until } from './until.ts';

const open = (url: string, more: Partial<MongoOptions> = {}): Promise<MongoStores> =>
  openMongoStores({ url, log: silentLog, atomic: 'auto', ...more });

const insert = (id: string) => ({ op: 'insert', collection: 'books', id, doc: {} }) as const;

/** What fails, and how it says so; milliseconds. */
async function failure(call: () => Promise<unknown>): Promise<{ readonly text: string; readonly took: number }> {
  const started = performance.now();
  const error = await call().then(() => undefined, (reason: unknown) => reason); // prettier-ignore
  if (!(error instanceof AppError)) throw error ?? new Error('nothing was thrown');
  return { text: `${error.code} ${error.headers['Retry-After'] ?? ''}`, took: performance.now() - started };
}

describe('MongoDB that is away', () => {
  let server: MongoServer;
  let stores: MongoStores;
  const lines: string[] = [];
  before(async function start() {
    this.timeout(300_000);
    server = await startMongo();
    const log: Log = { ...silentLog, warn: (line) => void lines.push(line), info: (line) => void lines.push(line) };
    stores = await open(server.url, { log, timeout: 6_000 });
  });
  after(async () => {
    await stores?.close();
    await server?.stop();
  });

  it('fails in seconds, all at once, and serves again when it is back, with what it acknowledged', async function test() {
    this.timeout(60_000);
    const { objects, files } = stores;
    await objects.write([insert('a'), insert('b')], { atomic: true });
    const { hash } = await files.put(Readable.from([Buffer.from('hello')]), 100);
    await server.kill();
    const calls: (() => Promise<unknown>)[] = [
      () => objects.ping(),
      () => objects.get('books', ['a']),
      () => objects.find('books', { filter: { op: 'all' }, count: 10 }),
      () => objects.count('books', { op: 'all' }),
      () => objects.write([insert('c')], { atomic: true }),
      () => objects.write([insert('c'), insert('d')], { atomic: true }),
      () => objects.write([insert('c'), insert('d'), insert('e')], { atomic: false }),
      () => objects.reserve('n', 1),
      () => objects.prepare([{ name: 'books', indexes: [] }]),
      () => files.open(hash),
      () => files.put(Readable.from([Buffer.from('other')]), 100),
    ];
    for (const { text, took } of await Promise.all(calls.map(failure))) {
      expect(text).to.equal('unavailable 5');
      expect(took).to.be.lessThan(10_000);
    }
    await server.restart();
    await until(() => objects.ping().then(() => true, () => false), 10_000); // prettier-ignore
    expect((await objects.get('books', ['a', 'b', 'c'])).map((one) => one?.id)).to.deep.equal(['a', 'b', undefined]);
    expect(await files.open(hash)).to.not.equal(undefined);
    expect(lines.filter((line) => line.startsWith('MongoDB is'))).to.deep.equal(['MongoDB is away', 'MongoDB is back']);
  });

  it('fails after the configured time when it says nothing', async function test() {
    this.timeout(60_000);
    const hasty = await open(server.url, { timeout: 300 });
    await hasty.objects.write([insert('held')], { atomic: true });
    server.hold();
    try {
      const answers = await Promise.all(
        [() => hasty.objects.get('books', ['held']), () => hasty.objects.write([insert('x')], { atomic: true })].map(
          failure,
        ),
      );
      for (const { text, took } of answers) {
        expect(text).to.equal('unavailable 5');
        expect(took).to.be.within(250, 3_000);
      }
    } finally {
      server.letGo();
    }
    await until(() => hasty.objects.get('books', ['held']).then(([found]) => found?.id === 'held', () => false), 10_000); // prettier-ignore
    await hasty.close();
  });

  it('stops the start, naming no credentials, when nobody is there or the credentials are wrong', async function test() {
    this.timeout(30_000);
    const nobody = `mongodb://user:geheim@127.0.0.1:${await freePort()}/x`;
    const wrong = server.url.replace(/\/\/[^@]*@/, '//user:geheim@');
    for (const url of [nobody, wrong, 'mongodb://', 'http://user:geheim@127.0.0.1/']) {
      const error: unknown = await open(url).catch((reason: unknown) => reason);
      if (!(error instanceof AppError)) throw error;
      expect([error.code, error.publicText].join(': '))
        .to.match(/^unavailable: MongoDB cannot be used: ./)
        .and.not.match(/geheim/);
    }
  });
});

describe('Opening MongoDB', () => {
  let url: string;
  beforeEach(() => (url = withDatabase(serverUrl('MONGO_URL'), `portico-opening-${process.pid}-${Date.now()}`)));
  afterEach(() => dropDatabase(url));

  it('warns once of a server without transactions, or refuses it where they are required', async function test() {
    const lines: string[] = [];
    const stores = await open(url, { log: { ...silentLog, warn: (line) => void lines.push(line) } });
    await stores.objects.write([insert('a'), insert('b')], { atomic: true });
    const { transactions } = stores;
    await stores.close();
    expect(lines).to.have.length(transactions ? 0 : 1);
    const required = open(url, { atomic: 'require' });
    if (transactions) await (await required).close();
    else expect(await thrown(required)).to.match(/^unavailable: .*no transactions.*data\.atomic/);
  });

  it('refuses the data of a newer version', async () => {
    await (await open(url)).close();
    await setVersion(url, 2);
    expect(await thrown(open(url))).to.match(/^unavailable: .*newer Portico/);
  });

  it('can be done by several processes at the same moment', async function test() {
    this.timeout(30_000);
    const opened = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    await Promise.all(
      opened.map(({ objects }) => objects.prepare([{ name: 'a', indexes: [{ name: 'n', paths: ['n'] }] }])),
    );
    await Promise.all(opened.map((one) => one.close()));
  });
});

async function setVersion(url: string, value: number): Promise<void> {
  await withDatabaseOf(url, async (db) => {
    await db.collection<{ _id: string; value: number }>('meta').updateOne({ _id: 'version' }, { $set: { value } });
  });
}
