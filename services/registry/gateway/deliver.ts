import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { AppError } from '#errors.ts';

/** Begins the client's answer; throws `bad_gateway` for a status or header that HTTP does not have. */
export function beginAnswer(answer: IncomingMessage, res: ServerResponse, headers: OutgoingHttpHeaders): void {
  const status = answer.statusCode ?? 0;
  try {
    if (status < 200) throw new Error(`status ${status}`);
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
  } catch (cause) {
    answer.destroy();
    throw new AppError('bad_gateway', 'the answer of the service behind cannot be sent on', { cause });
  }
  res.statusCode = status;
  if (headers['content-length'] === undefined) res.flushHeaders(); // a stream may begin with a pause
}

/** Sends the body on as it comes. False: it broke off, and the client's answer with it, so that nobody takes a part for the whole. */
export function deliver(answer: IncomingMessage, res: ServerResponse, silenceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let broken = false;
    const silence = setTimeout(() => {
      const clientIsSlow = res.writableNeedDrain || !res.req.complete;
      if (clientIsSlow) silence.refresh();
      else answer.destroy();
    }, silenceMs);
    const end = () => {
      clearTimeout(silence);
      answer.destroy(); // the client may have left
      resolve(!broken);
    };
    const cut = () => {
      broken ||= !answer.complete && !res.destroyed;
      if (broken) res.destroy();
    };
    res.once('close', end);
    answer.on('data', () => silence.refresh());
    answer.on('error', () => {}); // `close` follows
    answer.once('close', cut);
    if (answer.closed) cut();
    if (res.closed) end();
    else answer.pipe(res);
  });
}
