import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { demo, runCli, startPortico } from '../support/start-portico.ts';

describe('starting and stopping', () => {
  it('says the address, the stores and the demo accounts, and answers health probes', async () => {
    const portico = await startPortico();
    try {
      expect(portico.output())
        .to.match(/SQLite/)
        .and.match(/demo@local/);
      expect((await portico.fetch('/healthz')).status).to.equal(200);
      expect((await portico.fetch('/readyz')).status).to.equal(200);
    } finally {
      await portico.stop();
    }
  });

  it('keeps data, accounts and tokens over a restart', async () => {
    const data = mkdtempSync(join(tmpdir(), 'portico-test-'));
    try {
      const first = await startPortico({ data });
      const token = await (await first.fetch('/rest/token', { headers: demo })).text();
      await first.stop();
      const second = await startPortico({ data });
      try {
        const answer = await second.fetch('/rest/echo-token', { headers: { 'auth-token': token } });
        expect(answer.status).to.equal(200);
      } finally {
        await second.stop();
      }
    } finally {
      rmSync(data, { recursive: true });
    }
  });

  it('lets requests under way end when it is told to stop, and then ends with 0', async () => {
    const portico = await startPortico();
    const stopped = new Promise<number | null>((resolve) => portico.process.once('exit', resolve));
    const socket = connect(Number(new URL(portico.url).port), '127.0.0.1');
    const body = '{"string_text":"x"}';
    socket.write(
      `POST /rest/string-list/ HTTP/1.1\r\nHost: x\r\nAuthorization: ${demo.authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    portico.process.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 200));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.write(body.slice(5));
    expect(await stopped).to.equal(0);
    expect(answer).to.match(/^HTTP\/1\.1 200/);
    await portico.stop();
  });

  it('serves on and stops in order when nobody reads its output any more', async () => {
    const portico = await startPortico();
    const stopped = new Promise<number | null>((resolve) => portico.process.once('exit', resolve));
    portico.process.stdout!.destroy();
    portico.process.stderr!.destroy();
    expect((await portico.fetch('/rest/faulty/broken', { headers: demo })).status).to.equal(500); // logs
    expect((await portico.fetch('/rest/echo')).status).to.equal(200);
    portico.process.kill('SIGTERM');
    expect(await stopped).to.equal(0);
    await portico.stop();
  });

  it('refuses the demo in production and beyond loopback', async () => {
    for (const env of [{ NODE_ENV: 'production', PORTICO_STORES: 'sqlite' }, { HOST: '0.0.0.0' }]) {
      const refused = await runCli(['start'], {
        ...process.env,
        PORT: '0',
        PORTICO_DATA: join(tmpdir(), 'portico-never'),
        ...env,
      });
      expect(refused.code).to.not.equal(0);
      expect(refused.err)
        .to.match(/demo/i)
        .and.match(/PORTICO_ALLOW_DEMO/);
    }
  });

  it('names every fault of a broken deploy.json and does not start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-test-'));
    try {
      writeFileSync(
        join(folder, 'deploy.json'),
        JSON.stringify({ namespace: 7, modules: { rest: { globals: { authMode: [] } } } }),
      );
      const refused = await runCli(['start', '--app', folder], {
        ...process.env,
        PORT: '0',
        PORTICO_DATA: join(folder, 'data'),
      });
      expect(refused.code).to.equal(1);
      expect(refused.err)
        .to.include('deploy.json')
        .and.include('namespace')
        .and.include('modules.rest.globals.authMode');
      expect(refused.err).to.not.match(/\n\s+at /);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('serves another application from its folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-test-'));
    writeFileSync(
      join(folder, 'deploy.json'),
      JSON.stringify({
        namespace: 'other',
        modules: { rest: { globals: { authMode: { hello: 'none' }, di: { hello: { module: './hello' } } } } },
      }),
    );
    writeFileSync(
      join(folder, 'hello.ts'),
      "import { Service } from 'portico';\nexport default class Hello extends Service { routes(routes) { routes.add('GET', '/:name', ({ params }) => ({ hello: params.name })); } }\n",
    );
    const portico = await startPortico({ application: folder });
    try {
      expect(await (await portico.fetch('/rest/hello/you')).json()).to.deep.equal({ hello: 'you' });
    } finally {
      await portico.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it('tells an old Node what is missing instead of failing on syntax', () => {
    const script = `Object.defineProperty(process.versions, 'node', { value: '20.11.0' }); process.argv.splice(1, 0, 'x'); import(${JSON.stringify(join(import.meta.dirname, '../../bin/portico.js'))});`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(status).to.equal(78);
    expect(stderr).to.include('24.7');
  });
});
