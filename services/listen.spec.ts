import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { listen, type Listener } from './listen.ts';

const asked = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('the end of a listener', () => {
  let listener: Listener;
  let socket: Socket;
  let received: string;
  beforeEach(async () => {
    const options = { host: '127.0.0.1', port: 0, requestTimeout: 5000, secure: false };
    listener = await listen((_req, res) => void res.end('ok'), options);
    socket = connect(listener.port, '127.0.0.1');
    received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.write(asked);
    await once(socket, 'data');
  });
  afterEach(async () => {
    socket.destroy();
    await listener.close(0);
  });

  it('answers what a proxy sends over an open connection at this moment, and asks it to close', async () => {
    expect(received).to.match(/^connection: keep-alive/im);
    received = '';
    const closed = listener.close(5000);
    await new Promise((done) => setTimeout(done, 60));
    socket.write(asked);
    await once(socket, 'end');
    await closed;
    expect(received)
      .to.match(/^HTTP\/1\.1 200/)
      .and.match(/^connection: close/im);
  });

  it('takes no new connection, and ends an idle one after a moment', async () => {
    const began = performance.now();
    const closed = listener.close(5000);
    const refused = connect(listener.port, '127.0.0.1');
    const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).to.equal('ECONNREFUSED');
    await closed;
    expect(performance.now() - began).to.be.within(150, 1500);
  });

  it('ends what is still at work when the grace is over', async () => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n'); // never ends
    await new Promise((done) => setTimeout(done, 50));
    const began = performance.now();
    await listener.close(300);
    expect(performance.now() - began).to.be.within(250, 1500);
  });
});
