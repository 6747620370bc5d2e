import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { basic, signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';
import { writeApplication } from '../support/write-application.ts';

const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const open = 'Connection: keep-alive';

/** Head lines and body; the body of most is a second request for who reads the first one otherwise. */
const shapes: Readonly<Record<string, readonly [headers: readonly string[], body: string]>> = {
  'Content-Length and Transfer-Encoding': [['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
  'Transfer-Encoding and Content-Length': [['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${smuggled}`],
  'two lengths that differ': [['Content-Length: 0', `Content-Length: ${smuggled.length}`], smuggled],
  'two lengths that are equal': [['Content-Length: 2', 'Content-Length: 2'], `{}${smuggled}`],
  'a list of lengths': [['Content-Length: 2, 2'], `{}${smuggled}`],
  'a length with a sign': [['Content-Length: +2'], `{}${smuggled}`],
  'a negative length': [['Content-Length: -2'], smuggled],
  'a hexadecimal length': [['Content-Length: 0x2'], `{}${smuggled}`],
  'a length past every number': [['Content-Length: 99999999999999999999'], smuggled],
  'a folded line': [['X-A: b\r\n c'], smuggled],
  'a coding in a folded line': [['X-A: b\r\n\tTransfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
  'a blank before the colon': [['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`],
  'another coding': [['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`],
  'the coding identity': [['Transfer-Encoding: identity'], smuggled],
  'two codings in two lines': [['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], `0\r\n\r\n${smuggled}`],
  'chunked and then another': [['Transfer-Encoding: chunked, gzip'], `0\r\n\r\n${smuggled}`],
  'a bare line feed in a header': [['X-A: b\nTransfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
  'a bare carriage return': [['X-A: b\rTransfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
  'a zero byte in a header': [['X-A: b\0c'], smuggled],
  'a header without a colon': [['Transfer-Encoding chunked'], smuggled],
  'a negative chunk': [['Transfer-Encoding: chunked'], `-1\r\n${smuggled}`],
  'a chunk past every number': [['Transfer-Encoding: chunked'], `FFFFFFFFFFFFFFFFF\r\n${smuggled}`],
  'chunks with bare line feeds': [['Transfer-Encoding: chunked'], `2\n{}\n0\n\n${smuggled}`],
  'a line feed in a chunk extension': [['Transfer-Encoding: chunked'], `2;a\nxx\r\n{}\r\n0\r\n\r\n${smuggled}`],
  'two hosts': [['Host: x', 'Host: y'], smuggled],
};

describe('13. Smuggling shapes end in 400, and nothing after them is served', () => {
  let portico: RunningPortico;
  let application: Awaited<ReturnType<typeof writeApplication>>;
  let cookie: string;
  before(async () => {
    const paths = { '/rest/echo': { post: true } };
    const options = { base: '/gate', clientId: 'ext@system', clientSecret: 'client-secret', definition: { paths } };
    application = await writeApplication({
      'deploy.json': {
        namespace: 'shapes',
        modules: {
          rest: {
            globals: {
              authMode: { echo: 'none', wrong: 'none' },
              di: { echo: { module: './echo' }, wrong: { module: './wrong' } },
            },
          },
          registry: { globals: { di: { gate: { module: 'modules/rest/client/GateWay', options } } } },
        },
      },
      'echo.ts': `import { Service } from 'portico';
        export default class Echo extends Service {
          routes(routes) { routes.add('POST', '/', ({ body }) => ({ body: body ?? null })); }
        }`,
      'wrong.ts': `import { Service } from 'portico';
        import { Readable } from 'node:stream';
        const slow = async function* () {
          for (let count = 0; count < 20; count += 1) {
            yield Buffer.alloc(1000, 'a');
            await new Promise((done) => setTimeout(done, 20));
          }
        };
        export default class Wrong extends Service {
          routes(routes) {
            routes.add('GET', '/short', () => ({ data: 'длинный', headers: ['Content-Type: text/plain', 'Content-Length: 7'] }));
            routes.add('GET', '/long', () => ({ data: Buffer.from('four'), headers: { 'Content-Length': 400 } }));
            routes.add('GET', '/split', () => ({ data: 'x', headers: ['X-A: b\\r\\nSet-Cookie: evil=1'] }));
            routes.add('GET', '/name', () => ({ data: 'x', headers: { 'X-A: b\\r\\nSet-Cookie': 'evil=1' } }));
            routes.add('GET', '/slow', () => ({ data: Readable.from(slow()) }));
          }
        }`,
      'acl/users.yml': 'users:\n  - {id: kim, type: local, pwd: kims-password}\n',
    });
    portico = await startPortico({ application: application.folder });
    cookie = `Cookie: ${await signIn(portico, 'kim@local', 'kims-password')}`;
  });
  after(async () => {
    await portico?.stop();
    await application?.remove();
  });

  const places: Readonly<Record<string, string>> = { rest: '/rest/echo', auth: '/auth', gateway: '/gate/rest/echo' };
  for (const [part, path] of Object.entries(places))
    describe(`to ${part}`, () => {
      for (const [name, [headers, body]] of Object.entries(shapes))
        it(name, async () => {
          const bytes = rawRequest(
            `POST ${path} HTTP/1.1`,
            [open, cookie, 'Content-Type: application/json', ...headers],
            body,
          );
          const answer = await sendRaw(portico.url, bytes);
          expect(answer.statuses).to.deep.equal([400]);
          expect(answer.text).to.not.include('"ok"');
          if (name !== 'two hosts') expect(answer.closed).to.equal(true);
        });
    });

  it('requests that follow each other on a connection are answered in order, each for itself', async () => {
    const call = (body: string) =>
      rawRequest(
        'POST /rest/echo HTTP/1.1',
        [open, 'Content-Type: application/json', `Content-Length: ${body.length}`],
        body,
      );
    const { statuses, text } = await sendRaw(portico.url, ['{"n":1}', '{"n":2}', '{"n":3}'].map(call).join(''));
    expect(statuses).to.deep.equal([200, 200, 200]);
    expect(Array.from(text.matchAll(/"n":(\d)/g), ([, n]) => n).join('')).to.equal('123');
  });

  it('what cannot be parsed never gets into an answer that has begun', async () => {
    const socket = connect(Number(new URL(portico.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      if (text === '') socket.write('NONSENSE\r\n\r\n');
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.write(rawRequest('GET /rest/wrong/slow HTTP/1.1', [open]));
    await once(socket, 'close');
    expect(text)
      .to.match(/^HTTP\/1\.1 200/)
      .and.not.match(/400|Bad Request/);
  });

  it("a service's wrong Content-Length does not shift the answers that follow", async () => {
    for (const [path, length] of [
      ['short', 14],
      ['long', 4],
    ] as const) {
      const bytes = rawRequest(`GET /rest/wrong/${path} HTTP/1.1`, [open]) + rawRequest('GET /healthz HTTP/1.1');
      const { statuses, text } = await sendRaw(portico.url, bytes);
      expect(statuses).to.deep.equal([200, 200]);
      expect(text).to.include(`Content-Length: ${length}\r\n`).and.include('{"status":"ok"}');
    }
  });

  it("a line break in a service's header makes no header of its own", async () => {
    for (const path of ['split', 'name']) {
      const answer = await portico.fetch(`/rest/wrong/${path}`, { headers: basic('kim@local', 'kims-password') });
      expect(answer.status).to.equal(500);
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
      expect(await answer.text()).to.equal('Internal server error');
    }
  });
});
