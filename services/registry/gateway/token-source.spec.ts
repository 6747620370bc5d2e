import { expect } from 'chai';
import { AppError } from '#errors.ts';
import { silentLog } from '#log.ts';
import { listen, startUpstream, type Listening } from './spec-support.ts';
import { createTokenSource } from './token-source.ts';

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'given',
    (thrown: unknown) => (thrown instanceof AppError ? thrown.code : String(thrown)),
  );

describe('the token source', () => {
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let now = 0;
  const create = (changes: { url?: string; timeoutMs?: number } = {}) =>
    createTokenSource({
      url: `${upstream.url}/rest/token`,
      clientId: 'ext@system',
      clientSecret: 'pä:ss',
      renewAfterMs: 1000,
      timeoutMs: 500,
      log: silentLog,
      clock: () => now,
      ...changes,
    });

  beforeEach(async () => {
    now = 1_000_000;
    upstream = await startUpstream();
  });
  let other: Listening | undefined;
  afterEach(async () => {
    await other?.close();
    other = undefined;
    await upstream.close();
  });

  it('asks once for twenty callers at the same time, with the credentials of its client', async () => {
    upstream.tokens.delayMs = 20;
    const source = create();
    const given = await Promise.all(Array.from({ length: 20 }, () => source.current()));
    expect(new Set(given).size).to.equal(1);
    expect(upstream.tokens.issued).to.equal(1);
    expect(upstream.tokens.credentials).to.equal('ext@system:pä:ss');
  });

  it('keeps the token for its time and then takes another', async () => {
    const source = create();
    const first = await source.current();
    now += 999;
    expect(await source.current()).to.equal(first);
    now += 1;
    expect(await source.current()).to.not.equal(first);
    expect(upstream.tokens.issued).to.equal(2);
  });

  it('takes another token once when many callers say that the same one was refused', async () => {
    const source = create();
    const first = await source.current();
    const again = await Promise.all(
      Array.from({ length: 20 }, async () => {
        expect(source.refuse(first)).to.equal(true);
        return source.current();
      }),
    );
    expect(new Set(again).size).to.equal(1);
    expect(again[0]).to.not.equal(first);
    expect(upstream.tokens.issued).to.equal(2);
  });

  it('takes five new tokens at once for refusals, then one a minute', async () => {
    const source = create();
    const refuseNext = async () => source.refuse(await source.current());
    for (let count = 0; count < 5; count += 1) expect(await refuseNext()).to.equal(true);
    expect(await refuseNext()).to.equal(false);
    expect(upstream.tokens.issued).to.equal(6);
    now += 60_000;
    expect(await refuseNext()).to.equal(true);
    expect(await refuseNext()).to.equal(false);
  });

  it('says bad_gateway for a refusal, asks no more for a second, then again', async () => {
    upstream.tokens.status = 401;
    const source = create();
    expect(await codeOf(source.current())).to.equal('bad_gateway');
    expect(await codeOf(source.current())).to.equal('bad_gateway');
    expect(upstream.tokens.issued).to.equal(1);
    upstream.tokens.status = 200;
    now += 1000;
    expect(await source.current()).to.match(/^t+0002$/);
  });

  it('goes on with the old token while a new one is refused, until the old one is refused too', async () => {
    const source = create();
    const first = await source.current();
    upstream.tokens.status = 429;
    now += 1000;
    expect(await source.current()).to.equal(first);
    expect(await source.current()).to.equal(first);
    expect(upstream.tokens.issued).to.equal(2);
    expect(source.refuse(first)).to.equal(true);
    expect(await codeOf(source.current())).to.equal('bad_gateway');
  });

  it('says bad_gateway when nobody listens, and recovers at once', async () => {
    const nobody = await listen(() => {});
    await nobody.close();
    const source = create({ url: `${nobody.url}/rest/token` });
    expect(await codeOf(source.current())).to.equal('bad_gateway');
    expect(await codeOf(source.current())).to.equal('bad_gateway');
  });

  it('says gateway_timeout when the token is late', async () => {
    upstream.tokens.delayMs = 400;
    expect(await codeOf(create({ timeoutMs: 50 }).current())).to.equal('gateway_timeout');
  });

  for (const [what, answer] of Object.entries({ page: '<html>', nothing: '', lines: 'aaaaaaaaaaaa\r\nbbbbbbbbbbbb' }))
    it(`does not take ${what} for a token`, async () => {
      other = await listen((_req, res) => void res.end(answer));
      expect(await codeOf(create({ url: other.url }).current())).to.equal('bad_gateway');
    });

  it('does not carry its credentials along a redirect', async () => {
    other = await listen((_req, res) => void res.writeHead(302, { location: `${upstream.url}/rest/token` }).end());
    expect(await codeOf(create({ url: other.url }).current())).to.equal('bad_gateway');
    expect(upstream.tokens.issued).to.equal(0);
  });
});
