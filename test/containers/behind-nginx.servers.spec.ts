import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { basic } from '../support/start-portico.ts';
import { root } from './compose-file.ts';
import { startInstallation, type Installation, type InstallationOptions } from './installation.ts';
import { startLoad } from './load.ts';
import { createOrigin, type Origin } from './origin.ts';
import { kindsOfStores } from './stores.ts';

const journeys = ['acceptor', 'authentication', 'crud', 'custom-services', 'oauth-and-gateway'];
const wait = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));
const demo = basic('demo@local', 'portico-demo');

interface MochaReport {
  readonly stats: { readonly passes: number };
  readonly failures: readonly { readonly fullTitle: string; readonly err: { readonly message: string } }[];
}

for (const { name, servers } of kindsOfStores) {
  describe(`docker-compose.yml as processes behind nginx, on ${name}`, function () {
    this.timeout(120_000);
    let running: Installation;
    let origin: Origin;
    const start = async (options: InstallationOptions) => {
      running = await startInstallation({ ...options, servers: servers() });
      origin = createOrigin(running);
    };
    const stop = async () => {
      origin?.close();
      await running?.stop();
    };
    const signIn = (more: { headers?: Record<string, string>; from?: string } = {}, password = 'portico-demo') =>
      origin.call('/auth', {
        method: 'POST',
        ...more,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...more.headers },
        body: new URLSearchParams({ username: 'demo@local', password }).toString(),
      });

    describe('the whole of the contract', () => {
      before(() => start({ rest: 2 }));
      after(stop);

      it('holds in every journey, over TLS', async () => {
        const note = join(running.folder, 'note.json');
        writeFileSync(note, JSON.stringify(running));
        const files = journeys.map((journey) => `test/journeys/${journey}.spec.ts`);
        const words = ['--no-config', '--timeout', '20000', '--reporter', 'json', ...files];
        const env = { ...process.env, PORTICO_TEST_INSTALLATION: note, NODE_EXTRA_CA_CERTS: running.certificate };
        const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
        const run = promisify(execFile)(process.execPath, [mocha, ...words], { cwd: root, env, maxBuffer: 2 ** 26 });
        const { stdout } = await run.catch((failed: { stdout: string }) => failed);
        const { stats, failures } = JSON.parse(stdout) as MochaReport;
        expect(failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`)).to.deep.equal([]);
        expect(stats.passes).to.be.greaterThan(50);
      });

      it('the session cookie is __Host-, Secure, HttpOnly, SameSite=Lax; every answer carries HSTS once', async () => {
        const answer = await signIn();
        expect(answer.headers['set-cookie']).to.have.length(1);
        const [pair, ...attributes] = answer.headers['set-cookie']![0]!.toLowerCase().split('; ');
        expect(pair).to.match(/^__host-portico=/);
        expect(attributes).to.have.members(['path=/', 'secure', 'httponly', 'samesite=lax']);
        const large = await origin.call('/auth', { method: 'POST', body: Buffer.alloc(100_000) });
        const heads = await origin.call('/rest/echo', { headers: { 'x-much': 'x'.repeat(40_000) } });
        expect([large.status, heads.status]).to.deep.equal([413, 431]);
        for (const one of [answer, large, heads, await origin.call('/rest/echo'), await origin.call('/healthz')]) {
          expect(one.headers['strict-transport-security']).to.match(/^max-age=\d{8,}$/);
          expect(one.headers['x-content-type-options']).to.equal('nosniff');
        }
      });

      it('plain HTTP leads to TLS and keeps method and path', async () => {
        const answer = await fetch(`${running.httpUrl}/rest/echo?a=b`, { redirect: 'manual' });
        expect(answer.status).to.equal(308);
        expect(answer.headers.get('location')).to.equal('https://localhost/rest/echo?a=b');
      });

      it('an ETag arrives as it was given, whatever a client accepts; style sheets are compressed', async () => {
        const headers = { ...demo, 'accept-encoding': 'gzip' };
        const object = await origin.call('/rest/crud/publication@demo/018f3c22-92c8-7d05-8000-000000000001', { headers }); // prettier-ignore
        expect(object.headers.etag).to.match(/^"[^"]+"$/);
        expect(object.headers['content-encoding']).to.equal(undefined);
        const [sheet] = /\/[\w./-]+\.css/.exec((await origin.call('/auth')).body)!;
        const answer = await origin.call(sheet, { headers: { 'accept-encoding': 'gzip' } });
        expect(answer.headers['content-encoding']).to.equal('gzip');
      });

      it('Portico itself answers what is too large for its own limits', async () => {
        const body = JSON.stringify({ string_text: 'x'.repeat(2 ** 21) });
        const headers = { ...demo, 'content-type': 'application/json' };
        const answer = await origin.call('/rest/string-list/', { method: 'POST', headers, body });
        expect(answer.status).to.equal(413);
        expect(answer.headers['x-request-id']).to.match(/^[\w-]{36}$/);
        expect((await origin.call(`/rest/echo?${'x'.repeat(9000)}`)).status).to.equal(414);
      });

      it('a stream is answered while it still arrives', async () => {
        const line = (id: string) => `${JSON.stringify({ _id: id, _class: 'class_string@demo', _classVer: '', string_text: id })}\n`; // prettier-ignore
        const { first, whole } = await origin.stream('/rest/acceptor', {
          headers: { ...demo, 'content-type': 'application/x-ndjson' },
          chunks: Array.from({ length: 600 }, (_one, at) => line(`stream-${at}`)),
          last: line('stream-last'),
        });
        expect(first).to.include('stream-0');
        expect(first).to.not.include('stream-last');
        expect(whole).to.include('stream-last');
      });

      it('no second request is smuggled in: broken framing is refused once', async () => {
        const smuggled = 'GET /rest/echo?smuggled HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
        const shapes = [
          `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
          `Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n`,
          `Content-Length: +0\r\n\r\n`,
          `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
          `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
        ];
        for (const shape of shapes) {
          const answers = await origin.raw(`POST /rest/echo HTTP/1.1\r\nHost: localhost\r\n${shape}${smuggled}`);
          expect(answers, shape).to.have.length(1);
          expect(answers[0], shape).to.be.oneOf([400, 501]);
        }
        const encoded = ['/rest/../auth', '/rest/%2e%2e/auth', '//rest/echo', '/rest%2fecho'];
        for (const path of encoded) {
          const answers = await origin.raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
          expect(answers[0], path).to.be.oneOf([400, 404]);
        }
      });

      it('the log of nginx has no query, and names the request as Portico does', async () => {
        const answer = await origin.call('/rest/echo?code=very-secret');
        await wait(100);
        const log = running.nginxLog();
        expect(log).to.not.include('very-secret');
        expect(log).to.include(`"request":"${answer.headers['x-request-id']!.toString()}"`);
      });
    });

    describe('addresses of clients', () => {
      before(() => start({ env: { AUTH_ADDRESS_FAILURES: '5' } }));
      after(stop);

      it('are those of the connection to nginx: what a client says of itself does not count', async () => {
        const statuses: number[] = [];
        for (let at = 1; at <= 8; at += 1) {
          const headers = {
            accept: 'application/json',
            'x-forwarded-for': `192.0.2.${at}`,
            forwarded: `for=192.0.2.${at}`,
          };
          statuses.push((await signIn({ headers }, `wrong-${at}`)).status);
        }
        expect(statuses[0]).to.equal(401);
        expect(statuses.at(-1)).to.equal(429);
        expect((await signIn({ headers: { accept: 'application/json' } })).status).to.equal(429);
        const elsewhere = await signIn({ headers: { accept: 'application/json' }, from: '127.0.0.2' });
        expect(elsewhere.status).to.equal(200);
      });
    });

    describe('stopping under load', () => {
      before(() => start({ rest: 3, env: { LOG_LEVEL: 'warn' } }));
      after(stop);
      const rest = () => running.processes.filter(({ role }) => role === 'rest');

      it('a rolling restart of three rest processes lets no request fail', async () => {
        const load = startLoad(origin, 12, (status) => status === 200);
        await wait(1000);
        for (const one of rest()) {
          const began = performance.now();
          expect(await one.stop()).to.equal(0);
          expect(performance.now() - began).to.be.lessThan(10_000);
          await one.start();
        }
        const { answers, failures } = await load.stop();
        expect(failures).to.deep.equal([]);
        expect(answers[200]).to.be.greaterThan(500);
      });

      it('SIGTERM to all: what was accepted is answered, what comes later is told to come back', async () => {
        const load = startLoad(origin, 12, (status) => status === 200 || status === 503 || status === 404);
        await wait(1000);
        expect(await Promise.all(rest().map((one) => one.stop()))).to.deep.equal([0, 0, 0]);
        const away = await origin.call('/rest/echo');
        expect(away.status).to.equal(503);
        expect(away.headers['retry-after']).to.equal('5');
        await Promise.all(rest().map((one) => one.start()));
        expect((await origin.call('/rest/echo')).status).to.equal(200);
        expect((await load.stop()).failures).to.deep.equal([]);
      });
    });

    describe('a first start', () => {
      let application: string;
      before(async () => {
        application = mkdtempSync(join(tmpdir(), 'portico-application-'));
        const crud = { module: 'modules/rest/lib/impl/crud', options: { dataRepo: 'portico://dataRepo' } };
        const deploy = { namespace: 'empty', modules: { rest: { globals: { di: { crud } } } } };
        writeFileSync(join(application, 'deploy.json'), JSON.stringify(deploy));
        await start({ application, rest: 2 });
      });
      after(async () => {
        await stop();
        rmSync(application, { recursive: true });
      });

      it('makes one administrator from the secret, and nobody with a known password', async () => {
        const password = running.secret('administrator-password');
        const call = async (secret: string) => (await origin.call('/rest/token', { headers: basic('admin@local', secret) })).status; // prettier-ignore
        expect(await call(password)).to.equal(200);
        for (const known of ['admin', 'password', 'portico', 'portico-demo', ''])
          expect(await call(known)).to.equal(401);
        expect(await running.cli('user', 'list'))
          .to.match(/admin@local/)
          .and.not.match(/demo@local/);
        expect(running.printed()).to.include('first administrator made').and.not.include(password);
      });
    });
  });
}
