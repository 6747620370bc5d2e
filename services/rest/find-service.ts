import { AppError } from '#errors.ts';
import type { ServiceRouter } from './service-router.ts';
import type { RestMiddleware } from './state.ts';

const place = /^\/rest\/([^/]+)(\/.*)?$/;

/** The service that `/rest/<name>/…` names, or `service_not_found`. */
export const findService =
  (services: ReadonlyMap<string, ServiceRouter>): RestMiddleware =>
  (ctx, next) => {
    const [, encoded = '', path = '/'] = place.exec(ctx.path) ?? [];
    const name = decode(encoded);
    const router = services.get(name);
    if (router === undefined) throw new AppError('service_not_found', `no service ${name}`);
    ctx.state.call = { name, router, path, user: null };
    return next();
  };

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // a broken escape names no service
  }
}
