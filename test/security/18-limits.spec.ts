import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { demo, signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';

const json = { 'content-type': 'application/json' };
const texts = '/rest/crud/class_string@demo';
type Body = string | Buffer | FormData | URLSearchParams;
const MiB = 1024 * 1024;
const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);

describe('18. Limits of body, depth, items, header, page, file and time: never 500, never more memory than configured', () => {
  let portico: RunningPortico;
  let temporary: string;
  before(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'portico-uploads-'));
    portico = await startPortico({ env: { TMPDIR: temporary, HTTP_FILE_LIMIT: String(2 * MiB) } });
  });
  after(async () => {
    await portico?.stop();
    await rm(temporary, { recursive: true });
  });

  /** Resident bytes of the process. */
  const memory = async () => {
    const status = await readFile(`/proc/${portico.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1024;
  };
  const count = async (path = texts) => {
    const all = await portico.fetch(`${path}?_count=0&_total=1`, { headers: demo });
    return Number(all.headers.get('x-total-count'));
  };
  const post = async (path: string, body: Body, headers: Record<string, string> = json) => {
    const response = await portico.fetch(path, { method: 'POST', headers: { ...demo, ...headers }, body });
    return { status: response.status, text: await response.text() };
  };
  /** Nothing is stored by it. */
  const refused = async (
    status: number | readonly number[],
    path: string,
    body: Body,
    headers?: Record<string, string>,
  ) => {
    const before = await count();
    const answer = await post(path, body, headers);
    expect(answer.status, answer.text.slice(0, 300)).to.be.oneOf([status].flat());
    expect(answer.text).to.not.equal('');
    expect(await count()).to.equal(before);
  };

  const everywhere = [texts, '/rest/acceptor', '/rest/simple', '/rest/string-list', '/rest/token', '/auth'];

  it('body: 413 past 1 MiB, as JSON, form, text and multipart field, with and without a length', async () => {
    const large = 'x'.repeat(MiB + 1);
    for (const path of everywhere) {
      await refused([413, 415], path, `{"string_text":"${large}"}`);
      await refused([413, 400], path, new URLSearchParams({ string_text: large }), {});
      await refused([413, 400, 415], path, large, { 'content-type': 'text/plain' });
    }
    const form = new FormData();
    form.set('string_miltilinetext', large);
    await refused(413, texts, form, {});
    const stream = Readable.toWeb(
      Readable.from([Buffer.from('{"string_text":"'), Buffer.from(large), Buffer.from('"}')]),
    );
    const response = await portico.fetch(texts, {
      method: 'POST',
      headers: { ...demo, ...json },
      body: stream,
      duplex: 'half',
    });
    expect(response.status).to.equal(413);
  });

  it('body: after 413 the next call over the same connection is answered', async () => {
    const form = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n';
    const bodies = { json: `{"a":"${'x'.repeat(5 * MiB)}"}`, multipart: `${form}${'x'.repeat(5 * MiB)}\r\n--x--` };
    const types = { json: 'application/json', multipart: 'multipart/form-data; boundary=x' };
    for (const name of ['json', 'multipart'] as const) {
      const body = bodies[name];
      const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      for (const [framing, sent] of [
        [`Content-Length: ${body.length}`, body],
        ['Transfer-Encoding: chunked', chunks],
      ] as const) {
        const head = ['Connection: keep-alive', `Content-Type: ${types[name]}`, framing];
        const bytes = rawRequest('POST /rest/echo HTTP/1.1', head, sent) + rawRequest('GET /healthz HTTP/1.1');
        expect((await sendRaw(portico.url, bytes, 2000)).statuses, `${name} ${framing}`).to.deep.equal([413, 200]);
      }
    }
  });

  it('body: 413 for what unpacks to more, 415 for codings that are not known', async () => {
    const bomb = Buffer.from(`{"string_text":"${'x'.repeat(60 * MiB)}"}`);
    const before = await memory();
    for (const [coding, packed] of [
      ['gzip', gzipSync(bomb)],
      ['deflate', deflateSync(bomb)],
      ['br', brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ] as const)
      await refused([413, 415], texts, packed, { ...json, 'content-encoding': coding });
    await refused(415, texts, '{}', { ...json, 'content-encoding': 'gzip, gzip' });
    await refused(415, texts, '{}', { ...json, 'content-encoding': 'compress' });
    expect((await memory()) - before).to.be.below(150 * MiB);
  }).timeout(30_000);

  it('depth: 400 past 50 levels, however deep', async () => {
    for (const levels of [51, 1000, 150_000]) {
      for (const path of [texts, '/rest/acceptor', '/rest/simple', '/rest/string-list', `${texts}/_search`]) {
        await refused(400, path, nested(levels));
        await refused(400, path, `{"string_text":${nested(levels, '{"a":', '}').replace('{"a":}', '1')}}`);
      }
    }
    const deepForm = `a${'[a]'.repeat(5000)}=1`;
    expect(
      (await post('/rest/simple', deepForm, { 'content-type': 'application/x-www-form-urlencoded' })).status,
    ).to.be.oneOf([200, 400]);
    expect((await portico.fetch(`/rest/simple?a${'[a]'.repeat(500)}=1`, { headers: demo })).status).to.be.oneOf([
      200, 400,
    ]);
    const objects = (levels: number): string =>
      levels === 0
        ? '"fin"'
        : `{"name":"n","publications":[{"string_text":"t","published":"2025-01-01","section":${objects(levels - 1)}}]}`;
    for (const levels of [11, 16]) await refused(400, '/rest/crud/section@demo', objects(levels));
  });

  it('items: 413 past 10,000', async () => {
    const many = (one: string, howMany = 10_001) => `[${Array.from({ length: howMany }, () => one).join(',')}]`;
    await refused(413, '/rest/acceptor', many('{}'));
    await refused(413, '/rest/acceptor', many('0'));
    await refused(413, '/rest/simple', `{"a":${many('0')}}`);
    await refused([400, 413], texts, `{"string_text":${many('"a"')}}`);
    await refused([400, 413], '/rest/crud/sample@demo', `{"name":"x","sections":${many('{"code":"a"}')}}`);
    const wide = Array.from({ length: 60_000 }, (_, at) => `"n${at}":1`).join(',');
    await refused(400, texts, `{${wide}}`);
    const form = Array.from({ length: 10_001 }, () => 'a[]=1').join('&');
    await refused([400, 413], texts, form, { 'content-type': 'application/x-www-form-urlencoded' });
  });

  it('filter: 400 for 10,000 terms, quickly', async () => {
    const begin = performance.now();
    const terms = Array.from({ length: 10_000 }, (_, at) => ({ string_text: String(at) }));
    const filters = [
      { $or: terms },
      { and: terms },
      { $and: [{ $or: terms.slice(0, 6000) }] },
      Object.fromEntries(terms.map((_, at) => [`string_text${at}`, 1])),
      terms.map(() => ({ property: 'string_text', operation: 0, value: ['a'] })),
    ];
    for (const filter of filters) await refused(400, `${texts}/_search`, JSON.stringify({ filter }));
    const values = Array.from({ length: 10_000 }, (_, at) => String(at));
    expect(
      (await post(`${texts}/_search`, JSON.stringify({ filter: { string_text: { $in: values } } }))).status,
    ).to.equal(200);
    const not = `${'{"$not":'.repeat(49)}{"string_text":"a"}${'}'.repeat(49)}`;
    expect((await post(`${texts}/_search`, `{"filter":${not}}`)).status).to.be.oneOf([200, 400]);
    const sort = Array.from({ length: 5000 }, () => 'string_text').join(',');
    await refused(400, `${texts}/_search`, JSON.stringify({ sort }));
    await refused(400, `${texts}/_search`, JSON.stringify({ eager: Array.from({ length: 5000 }, () => ['keeper']) }));
    expect(performance.now() - begin).to.be.below(5000);
  });

  it('filter: patterns take no more time than plain text', async () => {
    const begin = performance.now();
    const pattern = `${'a.*'.repeat(2000)}b`;
    const text = 'a'.repeat(20_000);
    const own = await post(texts, JSON.stringify({ string_text: 'slow', string_miltilinetext: text }));
    expect(own.status).to.equal(200);
    for (const search of [
      { string_miltilinetext: { $regex: pattern } },
      { like: ['$string_miltilinetext', 'a'.repeat(5000) + 'b'] },
      { string_miltilinetext: { $regex: '%_'.repeat(5000) } },
    ])
      expect((await post(`${texts}/_search`, JSON.stringify({ filter: search }))).status).to.be.oneOf([200, 400]);
    expect(performance.now() - begin).to.be.below(3000);
  });

  it('page: no more than 1000 objects, whatever is asked', async () => {
    for (const asked of ['1001', '999999999', '999999999999999']) {
      const response = await portico.fetch(`${texts}?_count=${asked}`, { headers: demo });
      expect(response.status).to.equal(200);
      expect(response.headers.get('link')).to.include('_count=1000');
    }
    const far = await portico.fetch(`${texts}?_offset=999999999999999`, { headers: demo });
    expect([far.status, await far.text()]).to.deep.equal([200, '[]']);
  });

  it('eager loading: a path that goes round and round answers each object once', async () => {
    const path = Array.from({ length: 5 }, () => 'publications.section').join('.');
    const begin = performance.now();
    const response = await portico.fetch(`/rest/crud/section@demo?_count=1000&_eager=${path}|${path}.publications`, {
      headers: demo,
    });
    const text = await response.text();
    expect(response.status, text.slice(0, 200)).to.be.oneOf([200, 400]);
    expect(text.length).to.be.below(MiB);
    expect(performance.now() - begin).to.be.below(2000);
  });

  it('address: 414 past 8 KiB; head: 431 past 16 KiB and for thousands of headers', async () => {
    expect((await portico.fetch(`/rest/echo?${'a'.repeat(8200)}`)).status).to.equal(414);
    const large = rawRequest('GET /rest/echo HTTP/1.1', [`X-A: ${'a'.repeat(17_000)}`]);
    expect((await sendRaw(portico.url, large)).status).to.equal(431);
    const many = rawRequest(
      'GET /rest/echo HTTP/1.1',
      Array.from({ length: 3000 }, (_, at) => `X-${at}: a`),
    );
    expect((await sendRaw(portico.url, many)).status).to.equal(431);
    const cookies = rawRequest('GET /registry-ajax-api/rest/echo-token HTTP/1.1', [
      `Cookie: ${'portico=x; '.repeat(1200)}`,
    ]);
    expect((await sendRaw(portico.url, cookies)).status).to.equal(401);
  });

  it('file: 413 or 400 past the limit, and no part of it stays', async () => {
    const mine = async () =>
      (await readdir(portico.data, { recursive: true })).filter((path) => /files\/../.test(path)).length;
    const [before, files] = [await memory(), await mine()];
    const [{ _id: id }] = (await (
      await portico.fetch('/rest/crud/publication@demo?_count=1', { headers: demo })
    ).json()) as [{ _id: string }];
    const form = new FormData();
    form.set('attachment', new Blob([`%PDF-1.4 ${'x'.repeat(3 * MiB)}`], { type: 'application/pdf' }), 'large.pdf');
    const response = await portico.fetch(`/rest/crud/publication@demo/${id}`, {
      method: 'PATCH',
      headers: demo,
      body: form,
    });
    expect(response.status, await response.text()).to.equal(413);
    const small = new FormData();
    for (let at = 0; at < 200; at += 1) small.append(`file${at}`, new Blob(['x']), `${at}.pdf`);
    expect(
      (await portico.fetch(`/rest/crud/publication@demo/${id}`, { method: 'PATCH', headers: demo, body: small }))
        .status,
    ).to.be.oneOf([400, 413]);
    const fields = new FormData();
    for (let at = 0; at < 2000; at += 1) fields.append(`field${at}`, 'x');
    expect(
      (await portico.fetch(`/rest/crud/publication@demo/${id}`, { method: 'PATCH', headers: demo, body: fields }))
        .status,
    ).to.be.oneOf([400, 413]);
    expect(await mine()).to.equal(files);
    const left = async () => (await readdir(temporary)).filter((name) => name !== 'node-compile-cache');
    for (let tries = 0; tries < 40 && (await left()).length > 0; tries += 1) await delay(50);
    expect(await left()).to.deep.equal([]);
    expect((await memory()) - before).to.be.below(100 * MiB);
  });

  it('a body without end is cut off, whoever sends it: memory stays', async () => {
    const cookie = await signIn(portico);
    const before = await memory();
    const calls: readonly (readonly [string, readonly string[]])[] = [
      ['POST /rest/simple HTTP/1.1', ['Content-Type: application/json']],
      [`POST ${texts} HTTP/1.1`, ['Content-Type: application/json', `Authorization: ${demo.authorization}`]],
      [`POST ${texts} HTTP/1.1`, ['Content-Type: application/octet-stream', `Authorization: ${demo.authorization}`]],
      ['POST /rest/echo HTTP/1.1', ['Content-Type: multipart/form-data; boundary=x']],
      ['POST /rest/nothing-here HTTP/1.1', []],
      ['POST /auth HTTP/1.1', ['Content-Type: application/x-www-form-urlencoded']],
      ['POST /oauth2/token HTTP/1.1', ['Content-Type: application/x-www-form-urlencoded']],
      ['POST /registry-ajax-api/rest/string-list HTTP/1.1', ['Content-Type: application/json', `Cookie: ${cookie}`]],
      ['GET /healthz HTTP/1.1', []],
    ];
    await Promise.all(calls.map(([line, headers]) => pour(line, headers, 20 * MiB)));
    expect((await memory()) - before).to.be.below(120 * MiB);
    expect((await portico.fetch('/rest/echo')).status).to.equal(200);
  }).timeout(30_000);

  /** Sends a chunked body until the other side ends the connection, or so many bytes are sent. */
  async function pour(line: string, headers: readonly string[], bytes: number): Promise<void> {
    const socket = connect(Number(new URL(portico.url).port), '127.0.0.1');
    const gone = new AbortController();
    socket.on('error', () => gone.abort());
    socket.on('close', () => gone.abort());
    socket.resume();
    socket.write(rawRequest(line, ['Transfer-Encoding: chunked', ...headers]));
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let sent = 0; sent < bytes && !gone.signal.aborted; sent += 0x10000)
      if (!socket.write(chunk)) await once(socket, 'drain', { signal: gone.signal }).catch(() => {});
    socket.destroy();
  }

  it('time: a head or a body that does not arrive ends with 408', async () => {
    const hasty = await startPortico({ env: { HTTP_REQUEST_TIMEOUT: '1' } });
    const slow = (text: string) => sendRaw(hasty.url, text, 8000);
    const answers = await Promise.all([
      slow('GET /rest/echo HTTP/1.1\r\nHost: x\r\nX-A: '),
      slow(''),
      slow(rawRequest('POST /rest/echo HTTP/1.1', ['Content-Type: application/json', 'Content-Length: 50'], '{"a":')),
      slow(
        rawRequest(
          'POST /auth HTTP/1.1',
          ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
          '5\r\n{"a":\r\n',
        ),
      ),
    ]);
    await hasty.stop();
    for (const answer of answers) expect(answer).to.include({ status: 408, closed: true });
  }).timeout(15_000);
});
