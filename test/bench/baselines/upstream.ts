// The service behind the gateway and behind the bare proxy: takes a body, answers one of the same length.
import { listen, options } from './listen.ts';

const { bytes } = options() as { bytes: number };
const body = Buffer.from(JSON.stringify({ answer: 'a'.repeat(bytes - 13) }));

listen((req, res) => {
  if (req.url === '/rest/token') return void res.end('0123456789'.repeat(4));
  req.resume().once('end', () => {
    res.setHeader('content-type', 'application/json').setHeader('content-length', body.length).end(body);
  });
  return undefined;
});
