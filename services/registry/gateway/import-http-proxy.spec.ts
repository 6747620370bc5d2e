import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

it('http-proxy loads and runs without a deprecation warning, and leaves node:util as it was', async () => {
  const file = fileURLToPath(new URL('import-http-proxy.ts', import.meta.url));
  const script = `
    const util = (await import('node:util')).default;
    const old = util._extend;
    const { httpProxy } = await import(${JSON.stringify(file)});
    const { IncomingMessage, ServerResponse } = await import('node:http');
    const { Socket } = await import('node:net');
    const req = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/' });
    const proxy = httpProxy.createProxyServer({ target: { host: '127.0.0.1', port: 1 }, toProxy: true });
    proxy.web(req, new ServerResponse(req), { selfHandleResponse: true }, (error) => console.log(error.code, util._extend === old));
  `;
  const run = promisify(execFile);
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stderr).to.equal('');
  expect(stdout).to.match(/^E\w+ true\n$/);
});
