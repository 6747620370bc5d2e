import { createServer, type Server } from 'node:http';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import Koa from 'koa';
import { silentLog } from '#log.ts';
import { createBodyReader } from './body.ts';
import { toListener } from './to-listener.ts';
import { asProblem, renderErrors } from './render-errors.ts';
import { requestId } from './request-id.ts';
import type { HttpState } from './state.ts';

const limits = { body: 2000, file: 5000, items: 20, depth: 5 };

describe('reading a body', () => {
  let server: Server;
  let url: string;

  before(async () => {
    const read = createBodyReader(limits);
    const app = new Koa<HttpState>();
    app.use(requestId(silentLog)).use(renderErrors(asProblem));
    app.use(async (ctx) => {
      const { body, files } = await read(ctx);
      const sizes = await Promise.all(
        Object.entries(files).map(async ([name, parts]) => [
          name,
          await Promise.all(parts.map(async (part) => [part.name, part.mime, (await buffer(part.stream())).length])),
        ]),
      );
      ctx.body = JSON.stringify({
        body: body === undefined ? 'none' : body,
        files: Object.fromEntries(sizes),
        method: ctx.method,
      });
    });
    server = createServer(toListener(app));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => server.close());

  const send = async (body: RequestInit['body'], type?: string, method = 'POST', more: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method,
      headers: { ...(type === undefined ? {} : { 'content-type': type }), ...more },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, text, json: JSON.parse(text) };
  };

  it('reads JSON, forms, text and multipart, with any method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'SEARCH']) {
      const { json } = await send('{"a":[1]}', 'application/json', method);
      expect(json).to.deep.equal({ body: { a: [1] }, files: {}, method });
    }
    expect((await send('a=1&b[]=2&b[]=3&c[d]=4&e.f=5', 'application/x-www-form-urlencoded')).json.body).to.deep.equal({
      a: '1',
      b: ['2', '3'],
      c: { d: '4' },
      'e.f': '5',
    });
    expect((await send('hello', 'text/plain')).json.body).to.equal('hello');
    const form = new FormData();
    form.append('name', 'x');
    form.append('list[]', '1');
    form.append('list[]', '2');
    form.append('doc', new Blob(['12345'], { type: 'application/pdf' }), '../../a.pdf');
    expect((await send(form)).json).to.deep.include({
      body: { name: 'x', list: ['1', '2'] },
      files: { doc: [['../../a.pdf', 'application/pdf', 5]] },
    });
  });

  it('takes an empty body for no body, whatever its content type says', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', undefined]) {
      expect((await send(undefined, type)).json.body, type).to.equal('none');
      expect((await send('', type)).json.body, type).to.equal('none');
    }
  });

  it("answers 400 to what cannot be read, without the parser's words", async () => {
    const cases: [string, string][] = [
      ['{"a":', 'application/json'],
      ['nonsense', 'application/json'],
      ['{"__proto__": {"admin": true}}', 'application/json'],
      ['--x\r\nbroken', 'multipart/form-data; boundary=x'],
      ['no boundary', 'multipart/form-data'],
    ];
    for (const [body, type] of cases) {
      const { status, text } = await send(body, type);
      expect(status, body).to.equal(400);
      expect(text).to.not.match(/SyntaxError|Unexpected|position|formidable|nonsense/);
    }
    expect(
      (await send(Buffer.from('not gzip'), 'application/json', 'POST', { 'content-encoding': 'gzip' })).status,
    ).to.equal(400);
  });

  it('answers 413 to a body over the limit, also one that unpacks to more', async () => {
    expect((await send(JSON.stringify('x'.repeat(3000)), 'application/json')).status).to.equal(413);
    expect(
      (
        await send(gzipSync(JSON.stringify('x'.repeat(100_000))), 'application/json', 'POST', {
          'content-encoding': 'gzip',
        })
      ).status,
    ).to.equal(413);
    expect((await send(`a=${'x'.repeat(3000)}`, 'application/x-www-form-urlencoded')).status).to.equal(413);
    expect((await send(JSON.stringify(Array.from({ length: 21 }, () => 1)), 'application/json')).status).to.equal(413);
    const form = new FormData();
    form.append('doc', new Blob(['x'.repeat(6000)]), 'a');
    expect((await send(form)).status).to.equal(413);
  });

  it('answers 400 to nesting past the limit and 415 to an unknown encoding', async () => {
    expect((await send('[[[[[1]]]]]', 'application/json')).status).to.equal(200);
    expect((await send('[[[[[[1]]]]]]', 'application/json')).status).to.equal(400);
    expect((await send('['.repeat(900) + ']'.repeat(900), 'application/json')).status).to.equal(400);
    expect((await send('{}', 'application/json', 'POST', { 'content-encoding': 'zstd-of-mine' })).status).to.equal(415);
  });

  it('leaves no temporary file behind, neither of an accepted nor of a refused upload', async () => {
    const before = readdirSync(tmpdir()).length;
    for (const size of [4000, 6000]) {
      const form = new FormData();
      form.append('doc', new Blob(['x'.repeat(size)]), 'a');
      await send(form);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(readdirSync(tmpdir()).length).to.be.at.most(before);
  });
});
