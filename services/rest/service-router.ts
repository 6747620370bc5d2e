import { Router } from '@koa/router';
import type { Handler, Service } from '#service/index.ts';

/** What one service answers to: the handler of a call, or what is wrong with its path or method. */
export interface ServiceRouter {
  readonly service: Service;
  find(method: string, path: string): Found;
  /** For `portico check` and the console. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
}

export type Found =
  | { readonly handler: Handler; readonly params: Readonly<Record<string, string>> }
  | { readonly missing: 'path' }
  | { readonly missing: 'method'; readonly allowed: readonly string[] };

/** Asks the service for its routes once. `GET` also answers `HEAD`; a trailing slash matches. */
export async function createServiceRouter(service: Service): Promise<ServiceRouter> {
  const router = new Router();
  const handlers = new Map<unknown, Handler>();
  const routes: { method: string; path: string }[] = [];
  await service.routes({
    add(method, path, handler) {
      const word = method.toUpperCase();
      const layers = router.register(path === '' ? '/' : path, [word], () => undefined);
      handlers.set(layers, handler);
      routes.push({ method: word, path });
    },
  });
  const find = (method: string, path: string): Found => {
    const matched = router.match(path, method);
    const layer = matched.pathAndMethod[0];
    const handler = handlers.get(layer);
    if (layer && handler) return { handler, params: layer.params(path, layer.captures(path)) };
    if (matched.path.length === 0) return { missing: 'path' };
    return { missing: 'method', allowed: [...new Set(matched.path.flatMap((one) => one.methods))] };
  };
  return { service, find, routes };
}
