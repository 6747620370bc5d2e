import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { listen, raw, session, startGateway, startUpstream, statuses, type Listening } from './spec-support.ts';

/** Bytes of buffers that something still refers to. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  gc();
  gc(); // the first one sweeps while others run; the second waits for it
  return process.memoryUsage().arrayBuffers;
}

describe('the gateway and a service behind that fails', () => {
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let gateway: Listening;
  /** Waits so long that what happens sooner did not wait for it. */
  let patient: Listening;
  let answer: (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${gateway.url}/gw${path}`, { headers: session, ...init });

  beforeEach(async () => {
    upstream = await startUpstream((req, res) => answer(req, res));
    gateway = await startGateway({ restUrl: upstream.url, timeoutMs: 300 });
    patient = await startGateway({ restUrl: upstream.url, timeoutMs: 5000 });
  });
  const opened: { close(): unknown }[] = [];
  const closeLater = <T extends { close(): unknown }>(one: T): T => {
    opened.push(one);
    return one;
  };
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await gateway.close();
    await patient.close();
    await upstream.close();
  });

  it('answers 502 while it is down, and serves again when it is back', async () => {
    answer = (_req, res) => void res.end('ok');
    expect((await call('/rest/echo-token')).status).to.equal(200);
    await upstream.close();
    const got = await call('/rest/echo-token');
    expect(got.status).to.equal(502);
    expect(await got.json()).to.include({ status: 502, title: 'The service behind does not answer as it should' });
    const back = closeLater(createServer((socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))); // prettier-ignore
    await once(back.listen(upstream.port, '127.0.0.1'), 'listening');
    expect((await call('/rest/echo-token')).status).to.equal(200);
  });

  it('answers 504 when it hangs, and lets go of it', async () => {
    answer = () => {};
    for (const init of [{}, { method: 'POST', body: 'x' }]) {
      const begin = performance.now();
      expect((await call('/rest/echo-token', init)).status).to.equal(504);
      expect(performance.now() - begin).to.be.within(250, 2000);
    }
    await sleep(20);
    expect(await upstream.connections()).to.be.at.most(1); // the one that gave the token
  });

  it('answers 504 when it does not read a large body', async () => {
    answer = () => {};
    const got = await call('/rest/stream', { method: 'POST', body: new Uint8Array(20_000_000) });
    expect(got.status).to.equal(504);
  });

  it('waits for a slow client longer than for the service behind, also when that answers meanwhile', async () => {
    const answers = [
      (req: IncomingMessage, res: ServerResponse) => void req.pipe(res),
      async (req: IncomingMessage, res: ServerResponse) => void res.end((await req.toArray()).join('')),
    ];
    for (answer of answers) {
      const sent = request(`${gateway.url}/gw/rest/stream`, { method: 'POST', headers: session });
      const received = once(sent, 'response').then(([got]) => (got as IncomingMessage).toArray());
      for (const part of ['a', 'b', 'c']) {
        sent.write(part);
        await sleep(part === 'b' ? 400 : 50);
      }
      sent.end();
      expect((await received).join('')).to.equal('abc');
    }
  });

  it('cuts the answer off when the service behind dies within it', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'content-length': '1000' }).write('part');
      setTimeout(() => res.destroy(), 30);
    };
    const got = await fetch(`${patient.url}/gw/rest/stream`, { headers: session });
    expect(got.status).to.equal(200);
    const begin = performance.now();
    expect(await got.text().catch(() => 'cut')).to.equal('cut');
    expect(performance.now() - begin).to.be.below(2500);
  });

  it('cuts the answer off when the service behind falls silent within it', async () => {
    answer = (_req, res) => void res.writeHead(200).write('part');
    const got = await call('/rest/stream');
    expect(await got.text().catch(() => 'cut')).to.equal('cut');
    await sleep(20);
    expect(await upstream.connections()).to.be.at.most(1);
  });

  it('lets go of the service behind when the client leaves, before and within the answer', async () => {
    for (const begin of [() => {}, (res: ServerResponse) => void res.writeHead(200).write('part')]) {
      const closed = new Promise<number>((resolve) => {
        const since = performance.now();
        answer = (_req, res) => {
          res.once('close', () => resolve(performance.now() - since));
          begin(res);
        };
      });
      const leaving = new AbortController();
      const got = fetch(`${patient.url}/gw/rest/stream`, { headers: session, signal: leaving.signal }).then((one) =>
        one.text(),
      );
      setTimeout(() => leaving.abort(), 60);
      expect(await got.catch(() => 'left')).to.equal('left');
      expect(await closed).to.be.below(2500);
    }
  });

  it('takes a new connection when a pooled one was closed meanwhile, for a read only', async () => {
    let calls = 0;
    const closing = createServer((socket) => {
      let within = 0;
      socket.on('error', () => {});
      socket.on('data', () => {
        calls += 1;
        within += 1;
        if (within > 1) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\ntoken123');
      });
    });
    closeLater(closing);
    await once(closing.listen(0, '127.0.0.1'), 'listening');
    const { port } = closing.address() as AddressInfo;
    const inner = closeLater(await startGateway({ restUrl: `http://127.0.0.1:${port}` }));
    const status = async (method: string) =>
      (await fetch(`${inner.url}/gw/rest/echo-token`, { method, headers: session })).status;
    expect(await status('GET')).to.equal(200); // on a connection of the pool, now used once
    expect(await status('GET')).to.equal(200); // reset, then on one of its own
    expect(calls).to.equal(4);
    expect(await status('GET')).to.equal(200); // the pool is empty: a new one
    expect(await status('POST')).to.equal(502); // reset, and not repeated
    expect(calls).to.equal(6);
  });

  it('does not repeat a read on a connection that was reset at its first use', async () => {
    let calls = 0;
    answer = (_req, res) => {
      calls += 1;
      res.socket?.resetAndDestroy();
    };
    expect((await call('/rest/echo-token')).status).to.equal(502);
    expect(calls).to.equal(1);
  });

  it('lets go of the service behind when that answered before it had read an upload that stands still', async () => {
    answer = (_req, res) => void res.writeHead(413, { 'content-length': '5' }).end('large');
    const closed = new Promise<void>((resolve) => {
      const refuse = answer;
      answer = (req, res) => {
        req.socket.once('close', () => resolve());
        return refuse(req, res);
      };
    });
    const sent = request(`${gateway.url}/gw/rest/stream`, { method: 'POST', headers: { ...session, 'content-length': '99' } }); // prettier-ignore
    sent.on('error', () => {});
    sent.write('x');
    const [got] = (await once(sent, 'response')) as [IncomingMessage];
    expect((await got.toArray()).join('')).to.equal('large');
    await closed;
    sent.destroy();
  });

  it('serves the next request of a connection whose upload it gave up', async () => {
    answer = (req, res) => void (req.method === 'GET' && res.end('ok'));
    const size = 3_000_000;
    const cookie = `Host: x\r\nCookie: ${session.cookie}\r\n`;
    const upload = `POST /gw/rest/stream HTTP/1.1\r\n${cookie}Content-Length: ${size}\r\n\r\n${'x'.repeat(size)}`;
    const next = `GET /gw/rest/stream HTTP/1.1\r\n${cookie}Connection: close\r\n\r\n`;
    expect(statuses(await raw(gateway.port, upload + next, 1000))).to.deep.equal([504, 200]);
  });

  it('hands an early refusal of a large upload to the client', async () => {
    answer = (_req, res) => void res.writeHead(413).end('too large');
    const got = await call('/rest/stream', { method: 'POST', body: new Uint8Array(3_000_000) });
    expect([got.status, await got.text()]).to.deep.equal([413, 'too large']);
  });

  it('streams 50 MB each way without holding it in memory', async () => {
    const size = 50 * 1024 * 1024;
    const chunk = Buffer.alloc(64 * 1024, 'x');
    answer = (req, res) => void req.pipe(res);
    const sent = request(`${patient.url}/gw/rest/stream`, { method: 'POST', headers: session });
    const upload = async () => {
      for (let written = 0; written < size; written += chunk.length) if (!sent.write(chunk)) await once(sent, 'drain');
      sent.end();
    };
    const atFirst = heldBytes();
    let received = 0;
    let most = 0;
    const download = async () => {
      const [got] = (await once(sent, 'response')) as [IncomingMessage];
      for await (const part of got) {
        const sofar = received;
        received += (part as Buffer).length;
        if (Math.floor(received / 12e6) > Math.floor(sofar / 12e6)) most = Math.max(most, heldBytes());
      }
    };
    await Promise.all([download(), upload()]);
    expect(received).to.equal(size);
    expect(most).to.be.greaterThan(0);
    expect(most - atFirst).to.be.below(5 * 1024 * 1024); // of client, gateway and service behind together
  });

  it('serves over a connection that the listener behind closes politely', async () => {
    const polite = closeLater(await listen((_req, res) => void res.writeHead(200, { connection: 'close' }).end('token123'))); // prettier-ignore
    const inner = closeLater(await startGateway({ restUrl: polite.url }));
    for (let count = 0; count < 5; count += 1)
      expect((await fetch(`${inner.url}/gw/rest/echo-token`, { method: 'POST', headers: session })).status).to.equal(
        200,
      );
  });
});
