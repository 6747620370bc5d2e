import { Service, type Routes } from 'portico';

/** One blue pixel, 1 × 1. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNQdtv6HwADYgHtcaPHxwAAAABJRU5ErkJggg==',
  'base64',
);

/** Binary data with headers of its own. */
export default class Picture extends Service {
  override routes(routes: Routes) {
    routes.add('GET', '/', () => ({
      data: png,
      headers: ['Content-Type: image/png', `Content-Length: ${png.length}`],
    }));
  }
}
