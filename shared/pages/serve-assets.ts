import type { Middleware } from 'koa';
import type { Assets } from './assets.ts';

/** Answers GET and HEAD under the prefix; another hash than the current one gets the current file, uncached. Unknown names go on. */
export const serveAssets =
  (assets: Assets, prefix: string): Middleware =>
  async (ctx, next) => {
    const [hash, name = ''] = ctx.path.startsWith(`${prefix}/`) ? ctx.path.slice(prefix.length + 1).split('/') : [];
    const asset = assets.get(name);
    if (!asset || !['GET', 'HEAD'].includes(ctx.method)) {
      await next();
      return;
    }
    ctx.set('Content-Type', asset.type);
    ctx.set('Cache-Control', hash === asset.hash ? 'public, max-age=31536000, immutable' : 'no-cache');
    ctx.body = asset.bytes;
  };
